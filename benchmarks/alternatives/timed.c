/* Runs a program and writes to a descriptor what it cost: seconds from start to end, seconds of
   processor time in user and in kernel mode, the peak of its memory in KiB, and its exit status.
   A program of its own, because the peak of a process counts what its parent had at the fork.

   usage: timed DESCRIPTOR PROGRAM [ARGUMENT...] */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) return 64;
    int descriptor = atoi(arguments[1]);
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) return 64;
    double began = now();
    pid_t child = vfork();
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        _exit(127);
    }
    if (child < 0) return 71;
    int status = 0;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) return 71;
    double ended = now();
    dprintf(descriptor, "%.6f %.6f %.6f %ld %d\n", ended - began, seconds(usage.ru_utime),
            seconds(usage.ru_stime), usage.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
