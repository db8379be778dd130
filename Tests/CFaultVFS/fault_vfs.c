#include "fault_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

struct owner {
    char path[512];
    long until_death;
    long until_full;
    long full_for;
    long full_writes;
    int is_dead;
    void (*before_lock)(void *);
    void *lock_context;
    int lock_refusal;
    long until_bad_read;
};

struct fault_file {
    sqlite3_file base;
    int owner;
    /* The file of the VFS below follows. */
};

static struct owner owners[FAULT_VFS_OWNERS];
static int opens_for_script;
/* Other tests of a process open databases of their own beside a run. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *below;
static sqlite3_vfs fault_vfs;

static sqlite3_file *real(sqlite3_file *file) {
    return (sqlite3_file *)((char *)file + sizeof(struct fault_file));
}

/* What becomes of the next thing that the owner of `file` would change on the disk. */
static int fate(sqlite3_file *file, int failure, int takes_room) {
    int index = ((struct fault_file *)file)->owner;
    if (index < 0)
        return SQLITE_OK;
    struct owner *owner = &owners[index];
    if (!owner->is_dead && owner->until_death >= 0 && owner->until_death-- == 0)
        owner->is_dead = 1;
    if (owner->is_dead)
        return failure;
    if (!takes_room || owner->full_for <= 0)
        return SQLITE_OK;
    if (owner->until_full > 0) {
        owner->until_full--;
        return SQLITE_OK;
    }
    owner->full_for--;
    owner->full_writes++;
    return SQLITE_FULL;
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int index = ((struct fault_file *)file)->owner;
    if (index >= 0 && owners[index].until_bad_read > 0 && --owners[index].until_bad_read == 0)
        return SQLITE_IOERR_CORRUPTFS;
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = fate(file, SQLITE_IOERR_WRITE, 1);
    return code ? code : real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = fate(file, SQLITE_IOERR_TRUNCATE, 0);
    return code ? code : real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    int code = fate(file, SQLITE_IOERR_FSYNC, 0);
    return code ? code : real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_check_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
    return real(file)->pMethods->xSectorSize(real(file));
}

static int file_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    int index = ((struct fault_file *)file)->owner;
    if (index >= 0 && (flags & SQLITE_SHM_LOCK) && owners[index].lock_refusal) {
        int code = owners[index].lock_refusal;
        owners[index].lock_refusal = 0;
        return code;
    }
    /* The first byte is the write lock. */
    if (index >= 0 && offset == 0 && flags == (SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)) {
        void (*moment)(void *) = owners[index].before_lock;
        owners[index].before_lock = NULL;
        if (moment)
            moment(owners[index].lock_context);
    }
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
    real(file)->pMethods->xShmBarrier(real(file));
}

static int file_shm_unmap(sqlite3_file *file, int delete_it) {
    return real(file)->pMethods->xShmUnmap(real(file), delete_it);
}

/* Version 2: no memory mapping, which would go round the writes. */
static const sqlite3_io_methods methods = {
    2,                file_close,    file_read,       file_write,   file_truncate,
    file_sync,        file_size,     file_lock,       file_unlock,  file_check_lock,
    file_control,     file_sector_size, file_characteristics,
    file_shm_map,     file_shm_lock, file_shm_barrier, file_shm_unmap,
    NULL,             NULL};

static int no_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
    (void)file, (void)page, (void)size, (void)extend;
    *out = NULL;
    return SQLITE_IOERR_SHMMAP;
}

/* Version 1: without shared memory. And as the kernel answers on a file system that maps none. */
static sqlite3_io_methods methods_without_shm, methods_failing_shm;

static const sqlite3_io_methods *methods_for(const char *name) {
    if (name && strstr(name, "/without-shm/"))
        return &methods_without_shm;
    if (name && strstr(name, "/failing-shm/"))
        return &methods_failing_shm;
    return &methods;
}

static int owner_of(const char *name) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int index = 0; name && index < FAULT_VFS_OWNERS && found < 0; index += 2) {
        size_t length = strlen(owners[index].path);
        if (length > 0 && strncmp(name, owners[index].path, length) == 0)
            found = index + (opens_for_script ? 1 : 0);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                    int *out_flags) {
    (void)vfs;
    file->pMethods = NULL;
    int code = below->xOpen(below, name, real(file), flags, out_flags);
    if (code != SQLITE_OK)
        return code;
    ((struct fault_file *)file)->owner = owner_of(name);
    file->pMethods = methods_for(name);
    return SQLITE_OK;
}

static int install(void) {
    if (below)
        return SQLITE_OK;
    /* Counting memory takes a lock for every allocation. Refused, harmlessly, where SQLite is in
       use already. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int code = sqlite3_initialize();
    if (code != SQLITE_OK)
        return code;
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (!found)
        return SQLITE_ERROR;
    fault_vfs = *found;
    fault_vfs.zName = "fault";
    fault_vfs.pNext = NULL;
    fault_vfs.szOsFile = (int)sizeof(struct fault_file) + found->szOsFile;
    fault_vfs.xOpen = vfs_open;
    methods_without_shm = methods_failing_shm = methods;
    methods_without_shm.iVersion = 1;
    methods_failing_shm.xShmMap = no_shm_map;
    below = found;
    for (int index = 0; index < FAULT_VFS_OWNERS; index++)
        fault_vfs_calm(index);
    return sqlite3_vfs_register(&fault_vfs, 1);
}

int fault_vfs_install(void) {
    /* Suites of one process begin at the same time. */
    pthread_mutex_lock(&lock);
    int code = install();
    pthread_mutex_unlock(&lock);
    return code;
}

void fault_vfs_watch(int owner, const char *path) {
    pthread_mutex_lock(&lock);
    strncpy(owners[owner].path, path, sizeof owners[owner].path - 1);
    pthread_mutex_unlock(&lock);
    fault_vfs_calm(owner);
    fault_vfs_calm(owner + 1);
}

void fault_vfs_as_script(int is_script) {
    pthread_mutex_lock(&lock);
    opens_for_script = is_script;
    pthread_mutex_unlock(&lock);
}

void fault_vfs_arm_death(int owner, long countdown) { owners[owner].until_death = countdown; }

void fault_vfs_arm_full_disk(int owner, long countdown, long length) {
    owners[owner].until_full = countdown;
    owners[owner].full_for = length;
}

void fault_vfs_kill(int owner) { owners[owner].is_dead = 1; }

int fault_vfs_is_dead(int owner) { return owners[owner].is_dead; }

long fault_vfs_full_writes(int owner) { return owners[owner].full_writes; }

void fault_vfs_before_write_lock(int owner, void (*moment)(void *), void *context) {
    owners[owner].lock_context = context;
    owners[owner].before_lock = moment;
}

void fault_vfs_refuse_lock(int owner, int code) { owners[owner].lock_refusal = code; }

void fault_vfs_fail_read(int owner, long number) { owners[owner].until_bad_read = number; }

void fault_vfs_calm(int owner) {
    owners[owner].until_bad_read = 0;
    owners[owner].lock_refusal = 0;
    owners[owner].before_lock = NULL;
    owners[owner].until_death = -1;
    owners[owner].until_full = 0;
    owners[owner].full_for = 0;
    owners[owner].full_writes = 0;
    owners[owner].is_dead = 0;
}
