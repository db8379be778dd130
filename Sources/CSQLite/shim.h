#ifndef SYNCD_CSQLITE_SHIM_H
#define SYNCD_CSQLITE_SHIM_H

#include <sqlite3.h>

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

#endif
