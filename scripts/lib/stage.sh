# shellcheck shell=bash
# What the demo is made of: build the two programs, and run them on free loopback ports in a
# directory of their own. Sourced, never run; expects `set -euo pipefail`.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
stage=
server_pid=
daemon_pid=
server_port=0
server_starts=0
export SYNCD_STRICT=1

say_error() { printf 'error: %s\n' "$*" >&2; }

# Installs what is missing and builds syncd and demo-api; sets $programs.
#
# A debug build: from a clean clone it takes half the time of a release build (measured), and
# scripts/test has made it already.
build_programs() {
    "$repository/scripts/install-dependencies"
    # The same flags as in scripts/test, so that neither undoes the other's build.
    local flags=(--package-path "$repository" --explicit-target-dependency-import-check error)
    swift build "${flags[@]}" --product syncd >&2
    swift build "${flags[@]}" --product demo-api >&2
    programs=$(swift build "${flags[@]}" --show-bin-path)
}

# Password and token of the demo's account: `demo`, or what stands in the private file that
# SYNCD_TEST_SECRETS names. Told to curl by standard input: arguments can be read by everybody.
secret() {
    if [[ -n ${SYNCD_TEST_SECRETS-} ]]; then
        sqlite3 -batch :memory: "SELECT readfile('$SYNCD_TEST_SECRETS') ->> '$1'"
    else
        printf 'demo\n'
    fi
}

# Makes the directory in which everything happens, and takes away what could lead out of it.
open_stage() {
    # Kept are stages for somebody who looks through them afterwards.
    stage=$(mktemp -d "${SYNCD_TEST_KEEP:-${TMPDIR:-/tmp}}/syncd-$1.XXXXXX")
    chmod 700 "$stage"
    unset STATE_DIRECTORY CREDENTIALS_DIRECTORY NOTIFY_SOCKET WATCHDOG_USEC
    export XDG_STATE_HOME=$stage/state XDG_CONFIG_HOME=$stage/config
    mkdir -m 700 "$XDG_STATE_HOME" "$XDG_CONFIG_HOME"
    config=$stage/config.json
    cache=$XDG_STATE_HOME/syncd/cache.sqlite
}

# Ends what is still running and was started here, by its number, and removes the stage.
close_stage() {
    stop_daemon
    kill_server
    if [[ -n $stage && -z ${SYNCD_TEST_KEEP-} ]]; then rm -rf -- "$stage"; fi
    stage=
}

# Runs the command again and again until it succeeds, for at most so many seconds.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

is_running() { kill -0 "$1" 2>/dev/null; }

# The server's address once it has printed it.
server_announced() {
    server_port=$(sed -nE 's|.* http://127\.0\.0\.1:([0-9]+)$|\1|p' "$1")
    [[ -n $server_port ]] || ! is_running "$server_pid"
}

# Starts demo-api: the first time on a free port, later on the same one. Its todos are in a file,
# on disk before each answer, so that kill -9 is no amnesia.
start_server() {
    server_starts=$((server_starts + 1))
    local announced=$stage/server.$server_starts.out
    : >"$announced"
    "$programs/demo-api" --port "$server_port" --state "$stage/server-state" \
        ${SYNCD_TEST_SECRETS:+--secrets "$SYNCD_TEST_SECRETS"} "$@" \
        >"$announced" 2>>"$stage/server.log" </dev/null &
    server_pid=$!
    if ! wait_until 30 server_announced "$announced" || [[ -z $server_port ]]; then
        say_error "demo-api did not start; its log ends:"
        tail -n 5 "$stage/server.log" >&2
        return 1
    fi
    server=http://127.0.0.1:$server_port
}

kill_server() {
    [[ -n $server_pid ]] || return 0
    kill -9 "$server_pid" 2>/dev/null || true
    # The shell would report the end that was asked for.
    wait "$server_pid" 2>/dev/null || true
    server_pid=
}

start_daemon() {
    "$programs/syncd" run --config "$config" >>"$stage/syncd.log" 2>&1 </dev/null &
    daemon_pid=$!
}

kill_daemon() {
    [[ -n $daemon_pid ]] || return 0
    kill -9 "$daemon_pid" 2>/dev/null || true
    wait "$daemon_pid" 2>/dev/null || true
    daemon_pid=
}

# Asks the daemon to end, which takes less than five seconds; then insists.
stop_daemon() {
    [[ -n $daemon_pid ]] || return 0
    kill -TERM "$daemon_pid" 2>/dev/null || true
    wait_until 8 daemon_ended || kill_daemon
    if [[ -n $daemon_pid ]]; then wait "$daemon_pid" 2>/dev/null || true; fi
    daemon_pid=
}

daemon_ended() { ! is_running "$daemon_pid"; }

# The configuration, with an http.timeout of so many seconds: twice that long an operation stays in
# doubt.
write_config() {
    # Private from the first byte.
    (umask 077 && : >"$config")
    cat >"$config" <<JSON
{
  "database": "$cache",
  "movies": { "baseURL": "$server/3", "token": "$(secret token)", "interval": "1h" },
  "todos": {
    "baseURL": "$server", "email": "demo@example.com", "password": "$(secret password)",
    "interval": "5s"
  },
  "http": { "connectTimeout": "1s", "timeout": "$1s" },
  "log": { "format": "text" }
}
JSON
}

syncd() { "$programs/syncd" "$@" --config "$config"; }

# Runs SQL on the cache as any program may, with the stock sqlite3.
cache_sql() { sqlite3 -batch -cmd '.timeout 5000' "$cache" "$@"; }

# A new bearer token, got as another client would.
server_login() {
    local answer
    answer=$(printf 'user = "demo@example.com:%s"\n' "$(secret password)" |
        curl -sSf --max-time 10 -X POST --config - \
            -H 'Content-Type: application/json' "$server/login")
    sqlite3 -batch :memory: <<<"SELECT json_extract('$answer', '\$.string');"
}

# What the server holds, read past syncd: one line `id <tab> title` for each todo, sorted.
server_todos() {
    printf 'header = "Authorization: Bearer %s"\n' "$1" |
        curl -sSf --max-time 10 --config - \
            -H 'Content-Type: application/json' "$server/todos" >"$stage/list.json"
    sqlite3 -batch -separator $'\t' :memory: \
        "SELECT json_extract(value, '\$.id'), json_extract(value, '\$.title')
         FROM json_each(readfile('$stage/list.json'))" | LC_ALL=C sort
}

# What the cache shows, in the same form; a todo that is not synced shows its state, too.
cache_todos() {
    cache_sql -separator $'\t' \
        "SELECT coalesce(server_id, '-'),
                title || CASE state WHEN 'synced' THEN '' ELSE ' (' || state || ')' END
         FROM todos" | LC_ALL=C sort
}

queue_length() { cache_sql 'SELECT count(*) FROM outbox'; }
