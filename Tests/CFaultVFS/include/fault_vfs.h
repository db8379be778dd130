#ifndef FAULT_VFS_H
#define FAULT_VFS_H

/*
 * SQLite's own VFS with faults: the process that writes to a database can die at any write, or find
 * the disk full. For one database file of a simulated machine there are two owners: its syncd, and
 * the scripts beside it.
 *
 * In a directory `without-shm` there is no shared memory for a write-ahead log, in one `failing-shm`
 * the kernel refuses to map it.
 *
 * A run is on one thread at a time; connections to other files may be used beside it.
 */

enum { FAULT_VFS_OWNERS = 16 };

/* Makes it the VFS that connections use from now on; once in a process. 0, or a result code. */
int fault_vfs_install(void);

/* The database at `path`, which is copied, belongs to `owner`, when connections are
   opened by syncd, and to `owner + 1`, when they are opened by a script. */
void fault_vfs_watch(int owner, const char *path);

/* Connections opened from now on, and files they open, are a script's. */
void fault_vfs_as_script(int is_script);

/* At the write number `countdown` from now, 0 for the next, the owner dies: that write and all
   later ones do not happen. */
void fault_vfs_arm_death(int owner, long countdown);

/* From the write number `countdown` on, `length` writes fail because the disk is full. */
void fault_vfs_arm_full_disk(int owner, long countdown, long length);

/* The owner is dead from now on. */
void fault_vfs_kill(int owner);
int fault_vfs_is_dead(int owner);

/* How many writes failed because the disk was full, since the owner was last calmed. */
long fault_vfs_full_writes(int owner);

/* Once, before the owner next asks for the write lock of its log, `moment` is called: what another
   program does at that very moment. */
void fault_vfs_before_write_lock(int owner, void (*moment)(void *), void *context);

/* The next lock in the log's shared memory that the owner asks for is refused with this result code. */
void fault_vfs_refuse_lock(int owner, int code);

/* The read of this number from now, 1 for the next, fails as one does to which the kernel says EIO; the ones
   after it do not. */
void fault_vfs_fail_read(int owner, long number);

/* No death and no full disk any more; the dead lives again. */
void fault_vfs_calm(int owner);

#endif
