// Tells ThreadSanitizer about the contended half of Swift's Mutex.
//
// The uncontended half is compiled into our own code, with the sanitizer. The two functions below are in
// the toolchain's library, without it, so that what one thread did before it unlocked would seem to be a
// race with what the next one does after it has waited. Linked into each program by scripts/sanitize.
//
// Source: compiler-rt's sanitizer/tsan_interface.h; the two names are those of Swift 6.2 and 6.3.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *self

void __tsan_acquire(void *address);
void __tsan_release(void *address);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) void unlock_slow(SELF)
    __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

typedef __attribute__((swiftcall)) void (*lock_function)(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void (*unlock_function)(SELF);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) {
    lock_function next = (lock_function)dlsym(
        RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    next(thread, self);
    __tsan_acquire(self);
}

__attribute__((swiftcall)) void unlock_slow(SELF) {
    unlock_function next = (unlock_function)dlsym(
        RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(self);
    next(self);
}
