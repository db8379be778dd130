/* What the C programs share: requests over one kept connection of libcurl, and the cache by SQLite's C
   API, with the schema from Migrations. Errors end the program. */
#ifndef COMMON_H
#define COMMON_H

#define _GNU_SOURCE
#include <curl/curl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

__attribute__((format(printf, 1, 2), noreturn)) static inline void die(const char *form, ...) {
    va_list rest;
    va_start(rest, form);
    vfprintf(stderr, form, rest);
    va_end(rest);
    fputc('\n', stderr);
    exit(1);
}

struct bytes {
    char *start;
    size_t count, room;
};

static inline void add_bytes(struct bytes *bytes, const char *piece, size_t count) {
    if (bytes->count + count + 1 > bytes->room) {
        bytes->room = (bytes->count + count + 1) * 2;
        bytes->start = realloc(bytes->start, bytes->room);
        if (!bytes->start) die("out of memory");
    }
    memcpy(bytes->start + bytes->count, piece, count);
    bytes->count += count;
    bytes->start[bytes->count] = 0;
}

/* A connection, the token, and the last answer. */
struct session {
    CURL *easy;
    struct curl_slist *headers;
    const char *url;
    struct bytes body;
    char tag[256];
    long status;
};

static size_t take_body(char *piece, size_t size, size_t count, void *session) {
    add_bytes(&((struct session *)session)->body, piece, size * count);
    return size * count;
}

static size_t take_header(char *line, size_t size, size_t count, void *place) {
    struct session *session = place;
    size_t length = size * count;
    if (length > 6 && length < sizeof session->tag && strncasecmp(line, "ETag: ", 6) == 0) {
        memcpy(session->tag, line + 6, length - 6);
        session->tag[length - 6] = 0;
        session->tag[strcspn(session->tag, "\r\n")] = 0;
    }
    if (length > 16 && strncasecmp(line, "Content-Length: ", 16) == 0) {
        size_t whole = strtoull(line + 16, NULL, 10) + 1;
        if (whole > session->body.room && whole < (size_t)1 << 30) {
            session->body.start = realloc(session->body.start, session->body.room = whole);
            if (!session->body.start) die("out of memory");
        }
    }
    return length;
}

static inline void set_up(CURL *easy, struct session *session) {
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, session);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, session);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, session->headers);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 256L * 1024);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, 60L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
}

static inline void request(struct session *session, const char *path) {
    char url[512];
    snprintf(url, sizeof url, "%s%s", session->url, path);
    curl_easy_setopt(session->easy, CURLOPT_URL, url);
    session->body.count = 0;
    CURLcode code = curl_easy_perform(session->easy);
    if (code != CURLE_OK) die("%s: %s", url, curl_easy_strerror(code));
    curl_easy_getinfo(session->easy, CURLINFO_RESPONSE_CODE, &session->status);
}

/* Logs in as the account of the demo; later requests carry the token. */
static inline void log_in(struct session *session, const char *url) {
    *session = (struct session){.url = url};
    curl_global_init(CURL_GLOBAL_DEFAULT);
    session->easy = curl_easy_init();
    set_up(session->easy, session);
    curl_easy_setopt(session->easy, CURLOPT_USERPWD, "demo@example.com:demo");
    curl_easy_setopt(session->easy, CURLOPT_POSTFIELDS, "");
    request(session, "/login");
    const char *key = "\"string\":\"";
    char *token = session->body.start ? strstr(session->body.start, key) : NULL;
    if (session->status != 200 || !token) die("login: %ld", session->status);
    token += strlen(key);
    char header[256];
    snprintf(header, sizeof header, "Authorization: Bearer %.*s", (int)strcspn(token, "\""), token);
    session->headers = curl_slist_append(session->headers, header);
    session->headers = curl_slist_append(session->headers, "Content-Type: application/json");
    session->headers = curl_slist_append(session->headers, "Cache-Control: no-cache");
    curl_easy_reset(session->easy);
    set_up(session->easy, session);
}

static inline void sql(sqlite3 *database, const char *text) {
    char *error = NULL;
    if (sqlite3_exec(database, text, NULL, NULL, &error) != SQLITE_OK) die("%s: %s", text, error);
}

static inline sqlite3_stmt *prepare(sqlite3 *database, const char *text) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) != SQLITE_OK)
        die("%s: %s", text, sqlite3_errmsg(database));
    return statement;
}

/* Runs a statement that returns no row, and makes it ready for the next time. */
static inline void run(sqlite3 *database, sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) die("%s", sqlite3_errmsg(database));
    sqlite3_reset(statement);
}

static inline void bind_text(sqlite3_stmt *statement, int index, const char *text, size_t count) {
    sqlite3_bind_text64(statement, index, text, count, SQLITE_STATIC, SQLITE_UTF8);
}

/* Runs the SQL of a file as one transaction. */
static inline void run_file(sqlite3 *database, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) die("%s cannot be read", path);
    struct bytes text = {0};
    char piece[65536];
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) add_bytes(&text, piece, got);
    fclose(file);
    sql(database, "BEGIN IMMEDIATE");
    sql(database, text.start);
    sql(database, "COMMIT");
    free(text.start);
}

/* Opens the cache in WAL mode, and makes the schema of the migrations where there is none. */
static inline sqlite3 *open_cache(const char *path, char **migrations) {
    sqlite3 *database = NULL;
    if (sqlite3_open(path, &database) != SQLITE_OK) die("%s: %s", path, sqlite3_errmsg(database));
    sqlite3_busy_timeout(database, 5000);
    sql(database, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                  "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL");
    sqlite3_stmt *count = prepare(database, "SELECT count(*) FROM sqlite_schema");
    sqlite3_step(count);
    int objects = sqlite3_column_int(count, 0);
    sqlite3_finalize(count);
    for (; objects == 0 && *migrations; migrations++) run_file(database, *migrations);
    return database;
}

/* Prints how durable commits are: as often as they change it, by the word of SQLite itself. */
static inline void print_durability(sqlite3 *database, const char *what) {
    sqlite3_stmt *pragma = prepare(database, "PRAGMA synchronous");
    sqlite3_step(pragma);
    static const char *const names[] = {"OFF", "NORMAL", "FULL", "EXTRA"};
    printf("%s: PRAGMA synchronous = %s\n", what, names[sqlite3_column_int(pragma, 0) & 3]);
    sqlite3_finalize(pragma);
}

#endif
