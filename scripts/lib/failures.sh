# shellcheck shell=bash
# What test runs say at their end about what failed: a build machine may keep no more than the last
# lines. Sourced, never run; expects `set -euo pipefail`.

# Runs the command, which runs tests, and keeps what it prints in the file, too.
log_tests() {
    local log=$1
    shift
    "$@" 2>&1 | tee "$log"
}

# Says again what failed by such a file, shortly.
tell_failures() {
    # An issue's own lines begin with an arrow, but those of known issues do, too.
    awk '/^✘/ || /error:/ { told = 1; is_shown = 1; print substr($0, 1, 400); next }
        /^↳/ && is_shown { print substr($0, 1, 400); next }
        { is_shown = 0 }
        END { if (!told) print "The run ended before a test failed; the lines above tell why." }' "$1"
}
