/* A first sync of the todos as a careful C program would do it: libcurl, a JSON library, SQLite's C API,
   the schema, the tables and the durability of syncd.

   usage: sync URL CACHE TABLES MIGRATION...

   TABLES is what `syncd lists show todos --sql` prints. */
#include "common.h"

#include <jansson.h>
#include <string.h>
#include <time.h>

/* The text of a usable id: an integer or a text of 1 to 200 bytes. */
static size_t id_text(json_t *id, char *place, const char **text) {
    if (json_is_integer(id)) {
        *text = place;
        return (size_t)sprintf(place, "%lld", (long long)json_integer_value(id));
    }
    if (!json_is_string(id) || json_string_length(id) > 200) return 0;
    *text = json_string_value(id);
    return json_string_length(id);
}

/* Rows of the cache that the list does not show, or shows with another title, leave. */
static void remove_vanished(sqlite3 *database, json_t *list) {
    sqlite3_stmt *any = prepare(database, "SELECT EXISTS (SELECT 1 FROM s_todos)");
    sqlite3_step(any);
    int filled = sqlite3_column_int(any, 0);
    sqlite3_finalize(any);
    if (!filled) return;
    sql(database, "CREATE TEMP TABLE shown (id TEXT PRIMARY KEY, title TEXT) WITHOUT ROWID");
    sqlite3_stmt *show = prepare(database, "INSERT INTO shown VALUES (?, ?)");
    size_t index;
    json_t *row;
    json_array_foreach(list, index, row) {
        char place[32];
        const char *id;
        size_t count = id_text(json_object_get(row, "id"), place, &id);
        json_t *title = json_object_get(row, "title");
        bind_text(show, 1, id, count);
        bind_text(show, 2, json_string_value(title), json_string_length(title));
        run(database, show);
    }
    sqlite3_finalize(show);
    sql(database, "DELETE FROM todos WHERE server_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM shown"
                  " WHERE shown.id = server_id AND shown.title = todos.title);"
                  "DELETE FROM s_todos WHERE id NOT IN (SELECT id FROM todos)");
}

static void add_rows(sqlite3 *database, json_t *list) {
    sqlite3_stmt *known = prepare(database, "SELECT document FROM s_todos WHERE server_id = ?");
    sqlite3_stmt *shown = prepare(
        database, "INSERT INTO todos (title, server_id, created_at, state) VALUES (?, ?, ?, 'synced')");
    sqlite3_stmt *insert = prepare(database, "INSERT INTO s_todos (id, server_id, document) VALUES (?, ?, ?)");
    sqlite3_stmt *update = prepare(database, "UPDATE s_todos SET document = ?1 WHERE server_id = ?2");
    char now[32];
    time_t seconds = time(NULL);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S.000Z", gmtime(&seconds));
    bind_text(shown, 3, now, strlen(now));
    struct bytes document = {0};
    size_t index;
    json_t *row;
    json_array_foreach(list, index, row) {
        char place[32];
        const char *id;
        size_t count = id_text(json_object_get(row, "id"), place, &id);
        json_t *title = json_object_get(row, "title");
        if (count == 0 || !json_is_string(title)) die("row %zu is no todo", index);
        size_t length;
        while ((length = json_dumpb(row, document.start, document.room, JSON_COMPACT)) >
               document.room)
            document.start = realloc(document.start, document.room = length * 2);
        bind_text(known, 1, id, count);
        int is_known = sqlite3_step(known) == SQLITE_ROW;
        int differs = is_known && ((size_t)sqlite3_column_bytes(known, 0) != length ||
                                   memcmp(sqlite3_column_text(known, 0), document.start, length) != 0);
        sqlite3_reset(known);
        if (differs) {
            bind_text(update, 1, document.start, length);
            bind_text(update, 2, id, count);
            run(database, update);
        } else if (!is_known) {
            bind_text(shown, 1, json_string_value(title), json_string_length(title));
            bind_text(shown, 2, id, count);
            run(database, shown);
            sqlite3_bind_int64(insert, 1, sqlite3_last_insert_rowid(database));
            bind_text(insert, 2, id, count);
            bind_text(insert, 3, document.start, length);
            run(database, insert);
        }
    }
    sqlite3_finalize(known);
    sqlite3_finalize(shown);
    sqlite3_finalize(insert);
    sqlite3_finalize(update);
}

int main(int count, char **arguments) {
    if (count < 5) die("usage: sync URL CACHE TABLES MIGRATION...");
    sqlite3 *database = open_cache(arguments[2], arguments + 4);
    run_file(database, arguments[3]);
    struct session session;
    log_in(&session, arguments[1]);
    request(&session, "/todos");
    if (session.status != 200) die("/todos: %ld", session.status);
    json_error_t error;
    json_t *list = json_loadb(session.body.start, session.body.count, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_array(list)) die("the body is no list: %s", error.text);

    /* What the next pull brings again needs no sync to the disk. */
    sql(database, "PRAGMA synchronous = NORMAL");
    sql(database, "BEGIN IMMEDIATE");
    /* A large pull is told to watchers as one change. */
    if (json_array_size(list) > 10000)
        sql(database, "UPDATE control SET paused = 'todos';"
                      "INSERT INTO change (list, change) VALUES ('todos', 'reset')");
    sql(database, "UPDATE control SET applying = 'todos'");
    remove_vanished(database, list);
    add_rows(database, list);
    sql(database, "UPDATE control SET applying = NULL, paused = NULL;"
                  "UPDATE sync_state SET state = 'ok', complete = 1,"
                  " last_success_at = CAST(round((julianday('now') - 2440587.5) * 86400000.0)"
                  " AS INTEGER) WHERE list = 'todos'");
    sql(database, "COMMIT");
    print_durability(database, "pull");
    /* The process ends now, so nothing is taken apart; the log is checkpointed by closing. */
    sqlite3_close(database);
    return 0;
}
