/* Sends the queued creates of a cache as a C program at the limit would do it, as durably as syncd: an
   intent is committed before its request, an answer when it has come, both with a sync to the disk;
   answers and the next intents share a commit.

   usage: creates URL CACHE UNDERWAY */
#include "common.h"

#include <jansson.h>

enum { MOST = 16 };

/* A create that is being sent. */
struct sending {
    CURL *easy;
    sqlite3_int64 sequence, todo;
    struct session session;
    char *body;
};

struct statements {
    sqlite3_stmt *next, *intent, *known, *todo, *done;
};

static void settle(sqlite3 *database, struct statements *with, struct sending *one) {
    struct session *session = &one->session;
    if (session->status != 200) die("POST /todos: %ld", session->status);
    json_t *row = json_loadb(session->body.start, session->body.count, 0, NULL);
    json_t *title = json_object_get(row, "title");
    if (!json_is_string(title) || !json_is_integer(json_object_get(row, "id")))
        die("the answer is no todo");
    char id[32];
    int length = sprintf(id, "%lld", (long long)json_integer_value(json_object_get(row, "id")));
    sql(database, "UPDATE control SET applying = 'todos'");
    sqlite3_bind_int64(with->known, 1, one->todo);
    bind_text(with->known, 2, id, (size_t)length);
    bind_text(with->known, 3, session->body.start, session->body.count);
    run(database, with->known);
    sqlite3_bind_int64(with->todo, 1, one->todo);
    bind_text(with->todo, 2, id, (size_t)length);
    bind_text(with->todo, 3, json_string_value(title), json_string_length(title));
    run(database, with->todo);
    sql(database, "UPDATE control SET applying = NULL");
    sqlite3_bind_int64(with->done, 1, one->sequence);
    run(database, with->done);
    json_decref(row);
    free(one->body);
    one->body = NULL;
}

/* Takes the next create of the queue; 0 where there is none. */
static int take(sqlite3 *database, struct statements *with, struct sending *one,
                sqlite3_int64 *last) {
    sqlite3_bind_int64(with->next, 1, *last);
    int found = sqlite3_step(with->next) == SQLITE_ROW;
    if (found) {
        one->sequence = *last = sqlite3_column_int64(with->next, 0);
        one->todo = sqlite3_column_int64(with->next, 1);
        json_t *new = json_pack("{s:s}", "title", sqlite3_column_text(with->next, 2));
        one->body = json_dumps(new, JSON_COMPACT);
        json_decref(new);
    }
    sqlite3_reset(with->next);
    if (!found) return 0;
    sqlite3_bind_int64(with->intent, 1, one->sequence);
    run(database, with->intent);
    return 1;
}

static void send_create(CURLM *multi, struct session *account, struct sending *one) {
    char url[512];
    snprintf(url, sizeof url, "%s/todos", account->url);
    if (!one->easy) {
        one->easy = curl_easy_init();
        one->session.headers = account->headers;
        set_up(one->easy, &one->session);
        curl_easy_setopt(one->easy, CURLOPT_URL, url);
        curl_easy_setopt(one->easy, CURLOPT_PRIVATE, one);
    }
    one->session.body.count = 0;
    curl_easy_setopt(one->easy, CURLOPT_POSTFIELDS, one->body);
    curl_multi_add_handle(multi, one->easy);
}

int main(int count, char **arguments) {
    int most = count == 4 ? atoi(arguments[3]) : 0;
    if (most < 1 || most > MOST) die("usage: creates URL CACHE UNDERWAY");
    char *none = NULL;
    sqlite3 *database = open_cache(arguments[2], &none);
    struct session account;
    log_in(&account, arguments[1]);
    struct statements with = {
        prepare(database, "SELECT seq, row_id, title FROM operation JOIN todos ON todos.id = row_id"
                          " WHERE seq > ? AND kind = 'create' AND operation.state = 'queued' ORDER BY seq"),
        prepare(database, "UPDATE operation SET state = 'sending', attempts = attempts + 1,"
                          " sent_boot = '-', sent_ms = 0, first_sent_boot = '-', first_sent_ms = 0"
                          " WHERE seq = ?"),
        prepare(database, "INSERT INTO s_todos (id, server_id, document) VALUES (?, ?, ?)"),
        prepare(database, "UPDATE todos SET state = 'synced', server_id = ?2, title = ?3 WHERE id = ?1"),
        prepare(database, "DELETE FROM operation WHERE seq = ?")};
    CURLM *multi = curl_multi_init();
    struct sending all[MOST] = {0};
    struct sending *answered[MOST], *idle[MOST];
    int answers = 0, free_ones = 0, under_way = 0;
    for (int index = 0; index < most; index++) idle[free_ones++] = &all[index];
    sqlite3_int64 last = 0;
    print_durability(database, "intent and answer");
    for (;;) {
        sql(database, "BEGIN IMMEDIATE");
        while (answers > 0) {
            settle(database, &with, answered[--answers]);
            idle[free_ones++] = answered[answers];
        }
        int sent = 0;
        struct sending *out[MOST];
        while (free_ones > 0 && take(database, &with, idle[free_ones - 1], &last))
            out[sent++] = idle[--free_ones];
        sql(database, "COMMIT");
        for (int index = 0; index < sent; index++) send_create(multi, &account, out[index]);
        under_way += sent;
        if (under_way == 0) break;
        while (answers == 0) {
            int running = 0, left = 0;
            curl_multi_perform(multi, &running);
            CURLMsg *message;
            while ((message = curl_multi_info_read(multi, &left))) {
                if (message->msg != CURLMSG_DONE) continue;
                if (message->data.result != CURLE_OK)
                    die("%s", curl_easy_strerror(message->data.result));
                struct sending *one = NULL;
                CURL *easy = message->easy_handle;
                curl_easy_getinfo(easy, CURLINFO_PRIVATE, &one);
                curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &one->session.status);
                curl_multi_remove_handle(multi, easy);
                answered[answers++] = one;
                under_way--;
            }
            if (answers == 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
        }
    }
    sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return 0;
}
