/* A first sync of a declared list as a careful C program would do it: libcurl, a JSON library, SQLite's C API,
   the schema, the table and the durability of syncd.

   usage: list URL CACHE TABLE MIGRATION...

   TABLE is what `syncd lists show NAME --sql` prints for the list of benchmarks/rows_lists.py. */
#include "common.h"

#include <jansson.h>
#include <time.h>

static const char *const columns[] = {"number", "title",  "state",      "author",     "comments", "score",
                                      "locked", "labels", "created_at", "updated_at", "milestone", "body"};
enum { COUNT = sizeof columns / sizeof *columns };

/* The value of a column; what has another type than it should is NULL. */
static void bind_column(sqlite3_stmt *insert, int place, json_t *row, struct bytes *list) {
    const char *name = columns[place - 1];
    json_t *value = strcmp(name, "author") == 0
        ? json_object_get(json_object_get(row, "user"), "login") : json_object_get(row, name);
    if (strcmp(name, "labels") == 0 && (json_is_array(value) || json_is_object(value))) {
        size_t length;
        while ((length = json_dumpb(value, list->start, list->room, JSON_COMPACT)) > list->room)
            list->start = realloc(list->start, list->room = length * 2);
        bind_text(insert, place, list->start, length);
    } else if (strcmp(name, "score") == 0 && json_is_number(value)) {
        sqlite3_bind_double(insert, place, json_number_value(value));
    } else if (json_is_boolean(value)) {
        sqlite3_bind_int(insert, place, json_is_true(value));
    } else if (json_is_integer(value)) {
        sqlite3_bind_int64(insert, place, json_integer_value(value));
    } else if (json_is_string(value)) {
        bind_text(insert, place, json_string_value(value), json_string_length(value));
    } else {
        sqlite3_bind_null(insert, place);
    }
}

static void add_rows(sqlite3 *database, json_t *rows) {
    sqlite3_stmt *insert = prepare(
        database, "INSERT INTO notes (number, title, state, author, comments, score, locked, labels, created_at,"
                  " updated_at, milestone, body, _id, _rank, _document, _fetched_at)"
                  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    char now[32];
    time_t seconds = time(NULL);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S.000Z", gmtime(&seconds));
    bind_text(insert, COUNT + 4, now, strlen(now));
    struct bytes document = {0}, list = {0};
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) {
        json_t *id = json_object_get(row, "id");
        if (!json_is_integer(id)) die("row %zu has no id", index);
        for (int place = 1; place <= COUNT; place++) bind_column(insert, place, row, &list);
        size_t length;
        while ((length = json_dumpb(row, document.start, document.room, JSON_COMPACT)) > document.room)
            document.start = realloc(document.start, document.room = length * 2);
        sqlite3_bind_int64(insert, COUNT + 1, json_integer_value(id));
        sqlite3_bind_int64(insert, COUNT + 2, (sqlite3_int64)index + 1);
        bind_text(insert, COUNT + 3, document.start, length);
        run(database, insert);
    }
    sqlite3_finalize(insert);
}

int main(int count, char **arguments) {
    if (count < 5) die("usage: list URL CACHE TABLE MIGRATION...");
    sqlite3 *database = open_cache(arguments[2], arguments + 4);
    run_file(database, arguments[3]);
    struct session session = {.url = arguments[1]};
    curl_global_init(CURL_GLOBAL_DEFAULT);
    session.easy = curl_easy_init();
    set_up(session.easy, &session);
    request(&session, "/lists/notes");
    if (session.status != 200) die("/lists/notes: %ld", session.status);
    json_error_t error;
    json_t *rows = json_loadb(session.body.start, session.body.count, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_array(rows)) die("the body is no list: %s", error.text);

    sql(database, "PRAGMA synchronous = NORMAL");
    sql(database, "BEGIN IMMEDIATE");
    sql(database, "UPDATE control SET applying = 'notes', paused = 'notes';"
                  "INSERT INTO change (list, change) VALUES ('notes', 'reset')");
    add_rows(database, rows);
    sql(database, "UPDATE control SET applying = NULL, paused = NULL");
    sql(database, "COMMIT");
    print_durability(database, "pull");
    sqlite3_close(database);
    return 0;
}
