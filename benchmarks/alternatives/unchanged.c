/* Looks N times whether the list has changed, as a C program at the limit would do it: one kept
   connection, an entity tag where the server sends one, else the bytes against those of the last answer.
   With a cache it also asks that for the validators, and writes the status row, as syncd does.

   usage: unchanged URL N [CACHE] */
#include "common.h"

#include <time.h>

static void note_status(sqlite3 *database, sqlite3_stmt *update, sqlite3_stmt *begin,
                        sqlite3_stmt *commit) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    run(database, begin);
    sqlite3_bind_int64(update, 1, (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    run(database, update);
    run(database, commit);
}

int main(int count, char **arguments) {
    if (count < 3 || count > 4) die("usage: unchanged URL N [CACHE]");
    sqlite3 *database = NULL;
    sqlite3_stmt *begin = NULL, *commit = NULL, *update = NULL, *known = NULL;
    if (count == 4) {
        char *none = NULL;
        database = open_cache(arguments[3], &none);
        sql(database, "PRAGMA synchronous = NORMAL");
        begin = prepare(database, "BEGIN IMMEDIATE");
        commit = prepare(database, "COMMIT");
        known = prepare(database, "SELECT entity_tag FROM validator WHERE list = 'todos'");
        update = prepare(database, "UPDATE sync_state SET state = 'ok', last_attempt_at = ?1,"
                                   " last_success_at = ?1, failures = 0, last_error = NULL"
                                   " WHERE list = 'todos'");
    }
    struct session session;
    log_in(&session, arguments[1]);
    session.tag[0] = 0;
    struct bytes last = {0};
    request(&session, "/todos");
    add_bytes(&last, session.body.start, session.body.count);
    if (session.tag[0]) {
        char header[300];
        snprintf(header, sizeof header, "If-None-Match: %s", session.tag);
        session.headers = curl_slist_append(session.headers, header);
        curl_easy_setopt(session.easy, CURLOPT_HTTPHEADER, session.headers);
    }
    int changed = 0;
    for (int left = atoi(arguments[2]); left > 0; left--) {
        if (known) {
            sqlite3_step(known);
            sqlite3_reset(known);
        }
        request(&session, "/todos");
        if (session.status != 304 && session.status != 200) die("/todos: %ld", session.status);
        changed += session.status == 200 &&
                   (session.body.count != last.count ||
                    memcmp(session.body.start, last.start, last.count) != 0);
        if (update) note_status(database, update, begin, commit);
    }
    printf("%ld, changed: %d\n", session.status, changed);
    return 0;
}
