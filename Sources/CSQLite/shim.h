#ifndef SYNCD_CSQLITE_SHIM_H
#define SYNCD_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>

/* Swift cannot call C functions with variable arguments, nor read macros that cast. */

static inline int csqlite_db_config_flag(sqlite3 *db, int option, int on, int *now) {
    return sqlite3_db_config(db, option, on, now);
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

/*
 * Lets a statement read and nothing else. PRAGMA: those that only tell, and those that tell without
 * an argument and set with one. It runs while a statement is prepared; NULL for an absent name.
 */
static inline int csqlite_is_one_of(const char *name, const char *const *names) {
    for (; name && *names; names++)
        if (sqlite3_stricmp(name, *names) == 0)
            return 1;
    return 0;
}

static inline int csqlite_authorize_reading(void *context, int action, const char *first,
                                     const char *second, const char *third, const char *fourth) {
    static const char *const telling[] = {
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
        "foreign_key_list", "foreign_key_check", "database_list", "function_list", "module_list",
        "pragma_list", "collation_list", "compile_options", "integrity_check", "quick_check",
        "data_version", NULL};
    static const char *const settings[] = {
        "application_id", "user_version", "schema_version", "encoding", "page_size", "page_count",
        "freelist_count", "auto_vacuum", "query_only", "busy_timeout", NULL};
    (void)context, (void)fourth;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_UPDATE:
        /* Asked for the declaration of a table-valued function such as json_each, too, which writes
           nothing; a statement that really updates the schema is refused as one that writes. */
        return third && sqlite3_stricmp(third, "main") == 0
                       && sqlite3_stricmp(first, "sqlite_master") == 0
                   ? SQLITE_OK
                   : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return csqlite_is_one_of(first, telling) || (!second && csqlite_is_one_of(first, settings))
                   ? SQLITE_OK
                   : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static inline int csqlite_allow_reading_only(sqlite3 *db) {
    return sqlite3_set_authorizer(db, csqlite_authorize_reading, NULL);
}

#endif
