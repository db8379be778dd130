#ifndef SYNCD_CSQLITE_SHIM_H
#define SYNCD_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>

/* Swift cannot call C functions with variable arguments, nor read macros that cast. */

static inline int csqlite_db_config_flag(sqlite3 *db, int option, int on, int *now) {
    return sqlite3_db_config(db, option, on, now);
}

static inline int csqlite_leave_memory_uncounted(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static inline int csqlite_bind_static_text(sqlite3_stmt *stmt, int index, const char *text,
                                           sqlite3_uint64 length) {
    return sqlite3_bind_text64(stmt, index, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int csqlite_bind_copied_text(sqlite3_stmt *stmt, int index, const char *text,
                                           sqlite3_uint64 length) {
    return sqlite3_bind_text64(stmt, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_copied_blob(sqlite3_stmt *stmt, int index, const void *bytes,
                                           sqlite3_uint64 length) {
    return sqlite3_bind_blob64(stmt, index, bytes, length, SQLITE_TRANSIENT);
}

static inline void csqlite_result_copied_text(sqlite3_context *context, const char *text,
                                              sqlite3_uint64 length) {
    sqlite3_result_text64(context, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_persist_wal(sqlite3 *db, const char *schema, int on) {
    return sqlite3_file_control(db, schema, SQLITE_FCNTL_PERSIST_WAL, &on);
}

static inline int csqlite_has_moved(sqlite3 *db, const char *schema) {
    int moved = 0;
    sqlite3_file_control(db, schema, SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved;
}

/*
 * Whether somebody writes to the main database: 1, 0, or -1 where it cannot be told. With a log the write
 * lock is the first of its locks, which is taken shared for an instant; without one it is RESERVED.
 */
static inline int csqlite_is_writer_active(sqlite3 *db, int has_wal) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods)
        return -1;
    if (!has_wal) {
        int is_reserved = 0;
        code = file->pMethods->xCheckReservedLock(file, &is_reserved);
        return code == SQLITE_OK ? is_reserved : -1;
    }
    if (file->pMethods->iVersion < 2)
        return -1;
    code = file->pMethods->xShmLock(file, 0, 1, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED);
    if (code != SQLITE_OK)
        return code == SQLITE_BUSY ? 1 : -1;
    file->pMethods->xShmLock(file, 0, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED);
    return 0;
}

#endif
