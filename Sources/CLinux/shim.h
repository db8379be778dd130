#ifndef SYNCD_CLINUX_SHIM_H
#define SYNCD_CLINUX_SHIM_H

/*
 * What Glibc's Swift module leaves out. A C struct that both modules show may belong to either, and
 * a whole-module (release) build can choose another than a debug build: a file of a room that uses
 * this module imports both.
 */
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * Swift's Glibc module is made without _GNU_SOURCE, so that these declarations of glibc 2.32 are
 * missing from it: the text and the name of an error number, constant strings, thread-safe.
 */
extern const char *strerrordesc_np(int code);
extern const char *strerrorname_np(int code);

/*
 * Open file description locks (fcntl(2), Linux 3.15): the same numbers on every architecture.
 * Swift cannot call fcntl with a struct, because it is variadic.
 */
#define SYNCD_OFD_GETLK 36
#define SYNCD_OFD_SETLK 37

/* Puts a write lock on the first bytes of the file, 0 for all of them; 0, or -1 with errno. */
static inline int syncd_mark_locked(int fd, int length) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = length};
    return fcntl(fd, SYNCD_OFD_SETLK, &lock);
}

/* Takes it off, also where a copy of the descriptor is left; 0, or -1 with errno. */
static inline int syncd_unmark(int fd) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    return fcntl(fd, SYNCD_OFD_SETLK, &lock);
}

/* Whether another open file description holds a lock on the file: 1 or 0, or -1 with errno. */
static inline int syncd_is_marked_locked(int fd) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, SYNCD_OFD_GETLK, &lock) < 0)
        return -1;
    return lock.l_type != F_UNLCK;
}

/* The two numbers of a device, which are macros in C. */
static inline unsigned syncd_major(uint64_t device) { return major(device); }
static inline unsigned syncd_minor(uint64_t device) { return minor(device); }

/* Opens a directory that may be entered but not be listed (open(2)); a GNU name, which Swift lacks. */
#define SYNCD_O_PATH 010000000

/* No core file and no debugger of the same user (prctl(2)); 0, or -1 with errno. */
static inline int syncd_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* Sends one datagram to a Unix socket; a leading '@' names an abstract one. 0 or an error number. */
static inline int syncd_send_datagram(
    int fd, const char *name, size_t name_length, const void *bytes, size_t count) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (name_length == 0 || name_length >= sizeof address.sun_path)
        return ENAMETOOLONG;
    for (size_t i = 0; i < name_length; i++)
        address.sun_path[i] = name[i];
    if (name[0] == '@')
        address.sun_path[0] = 0;
    socklen_t length =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + name_length + (name[0] != '@'));
    ssize_t sent;
    do
        sent = sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, length);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)count ? 0 : sent < 0 ? errno : EMSGSIZE;
}

/*
 * A socket that tells what changes among the machine's addresses and routes (rtnetlink(7)); -1 with
 * errno.
 */
static inline int syncd_listen_to_routes(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0)
        return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    address.nl_groups =
        RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

/*
 * Reads what that socket has to tell; 1 if an address or a route appeared. Where the kernel had to
 * drop messages, they may have told that.
 */
static inline int syncd_read_arrivals(int fd) {
    _Alignas(struct nlmsghdr) char bytes[8192];
    int arrived = 0;
    for (;;) {
        ssize_t count = recv(fd, bytes, sizeof bytes, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == ENOBUFS) {
            arrived = 1;
            continue;
        }
        if (count <= 0)
            return arrived;
        int left = (int)count;
        const struct nlmsghdr *message = (const struct nlmsghdr *)bytes;
        for (; NLMSG_OK(message, (unsigned)left); message = NLMSG_NEXT(message, left))
            if (message->nlmsg_type == RTM_NEWADDR || message->nlmsg_type == RTM_NEWROUTE)
                arrived = 1;
    }
}

/* A descriptor that can be read once the process has ended (pidfd_open(2), Linux 5.3); -1 with errno. */
static inline int syncd_watch_process(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* A file without a name, in memory, which no other program inherits (memfd_create(2)). */
static inline int syncd_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
}

#endif
