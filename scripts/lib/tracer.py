"""Runs a program under ptrace(2) and sees each system call before it is made. Imported, never run.

One call of one thread can be picked to kill the process at, or to fail. Threads are counted in the
order in which they were made, from 0; the calls of each from 1, the dynamic loader's included. Only
x86-64, because the registers are named here.
"""

import ctypes
import errno
import os
import signal

_CALLS = {
    0: "read", 1: "write", 2: "open", 3: "close", 17: "pread64", 18: "pwrite64", 19: "readv",
    20: "writev", 42: "connect", 44: "sendto", 46: "sendmsg", 74: "fsync", 75: "fdatasync",
    76: "truncate", 77: "ftruncate", 82: "rename", 83: "mkdir", 84: "rmdir", 86: "link",
    87: "unlink", 257: "openat", 258: "mkdirat", 263: "unlinkat", 264: "renameat", 265: "linkat",
    285: "fallocate", 296: "pwritev", 316: "renameat2"}

_CONT, _GETREGS, _SETREGS, _SYSCALL, _SEIZE = 7, 12, 13, 24, 0x4206
_LISTEN = 0x4208
# TRACESYSGOOD, TRACECLONE, TRACEEXEC, EXITKILL.
_OPTIONS = 0x1 | 0x8 | 0x10 | 0x100000
_SYSCALL_STOP = signal.SIGTRAP | 0x80
_EVENT_EXEC, _EVENT_STOP = 4, 128
_WALL = 0x40000000
_ORIG_RAX, _RAX, _RDI, _RSI, _RDX, _R10, _R8 = 15, 10, 14, 13, 12, 7, 9

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def _ptrace(request, thread, address=None, data=None):
    if _libc.ptrace(request, thread, address, data) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def end_with_parent():
    """Has the kernel end this process when the one that made it is gone."""
    _libc.prctl(1, signal.SIGTERM, 0, 0, 0)


class Call:
    """A system call that is about to be made, or has just been."""

    def __init__(self, process, thread, index, number, registers):
        self.process = process
        self.thread = thread
        # Which thread, and the how many-th call of it.
        self.index = index
        self.number = number
        self.name = _CALLS.get(registers[_ORIG_RAX], str(registers[_ORIG_RAX]))
        self.arguments = [registers[at] for at in (_RDI, _RSI, _RDX, _R10, _R8)]
        self.result = None
        self.fate = None
        # The follower's own.
        self.note = None

    def signed(self, place):
        return ctypes.c_int(self.arguments[place]).value

    def path_of(self, place):
        """Where the descriptor in this place leads to; empty where to no file."""
        try:
            return os.readlink(f"/proc/{self.process}/fd/{self.signed(place)}")
        except OSError:
            return ""

    def bytes(self, address, count):
        with open(f"/proc/{self.process}/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            return memory.read(count)

    def text(self, place):
        """The path in this place."""
        address, found = self.arguments[place], b""
        while b"\0" not in found:
            # Not beyond the page, the next one may be none.
            piece = self.bytes(address, 4096 - address % 4096)
            if not piece:
                break
            found += piece
            address += len(piece)
        return os.fsdecode(found.split(b"\0")[0])

    def absolute(self, place, directory=None):
        """The path in one place, seen from the directory in another or from the process's own."""
        path = self.text(place)
        if path.startswith("/"):
            return path
        if directory is None or self.signed(directory) == -100:
            base = os.readlink(f"/proc/{self.process}/cwd")
        else:
            base = self.path_of(directory)
        return os.path.normpath(os.path.join(base, path))


class Fate:
    """What becomes of a call that was picked."""

    def __init__(self, kill=False, error=None, shorten=False):
        self.kill = kill
        self.error = error
        self.shorten = shorten


KILL = Fate(kill=True)


def fail(name):
    return Fate(error=getattr(errno, name))


SHORTEN = Fate(shorten=True)


class Outcome:
    def __init__(self):
        # Calls of each thread.
        self.counts = []
        # The exit status, or the signal's number below zero.
        self.status = None
        self.picked = None
        self.errors = ""
        self.output = ""


class Tracer:
    """Follows one process, its threads and nothing else, from its first call or from `attach`."""

    def __init__(self, pick=None, done=None):
        # Called with each Call before it is made; returns a Fate or None.
        self.pick = pick or (lambda call: None)
        # Called with each Call after it was made.
        self.done = done
        self.outcome = Outcome()
        self._order = {}
        self._inside = {}
        self._registers = (ctypes.c_ulonglong * 27)()
        self._address = ctypes.addressof(self._registers)

    def start(self, arguments, environment, output, errors, directory=None):
        """Starts a program that waits for `follow`."""
        process = os.fork()
        if process == 0:
            try:
                os.kill(os.getpid(), signal.SIGSTOP)
                null = os.open("/dev/null", os.O_RDONLY)
                os.dup2(null, 0)
                os.dup2(output, 1)
                os.dup2(errors, 2)
                # Python ignores SIGPIPE; programs start with the default.
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                if directory:
                    os.chdir(directory)
                os.closerange(3, 256)
                os.execve(arguments[0], arguments, environment)
            finally:
                os._exit(127)
        self.process = process
        os.waitpid(process, os.WUNTRACED)
        _ptrace(_SEIZE, process, None, _OPTIONS)
        self._order[process] = 0
        self.outcome.counts.append(0)
        self._isProgram = False
        os.kill(process, signal.SIGCONT)
        return process

    def attach(self, process):
        """Takes on a process that runs, with all its threads in the order of their making."""
        self.process = process
        self._isProgram = True
        for thread in sorted(int(name) for name in os.listdir(f"/proc/{process}/task")):
            _ptrace(_SEIZE, thread, None, _OPTIONS)
            self._order[thread] = len(self.outcome.counts)
            self.outcome.counts.append(0)
            _ptrace(0x4207, thread)

    def follow(self):
        """Follows the process to its end. Only this process may have no other children to wait for
        meanwhile that are threads' clones; others are left alone."""
        while True:
            thread, status = self._next()
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                if thread == self.process:
                    self.outcome.status = (
                        os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status))
                    return self.outcome
                continue
            try:
                self._stopped(thread, status)
            except ProcessLookupError:
                # Killed, by us or by itself: its end is reported next.
                continue

    def _next(self):
        return os.waitpid(-1, _WALL)

    def _stopped(self, thread, status):
        event, cause = status >> 16, os.WSTOPSIG(status)
        if cause == _SYSCALL_STOP:
            self._call(thread)
            return _ptrace(_SYSCALL, thread)
        if event == _EVENT_STOP and cause != signal.SIGTRAP:
            # Stopped as a group; it goes on by SIGCONT.
            return _ptrace(_LISTEN, thread)
        if event == _EVENT_EXEC:
            self._isProgram = True
            # The call of execve itself ends in this program.
            self._inside.pop(thread, None)
            self._inside[thread] = None
        if event or cause == signal.SIGTRAP and not self._isProgram:
            return _ptrace(_SYSCALL, thread)
        _ptrace(_SYSCALL, thread, None, cause)

    def _call(self, thread):
        if thread in self._inside:
            call = self._inside.pop(thread)
            if call is not None:
                self._leave(call)
            return
        if thread not in self._order:
            self._order[thread] = len(self.outcome.counts)
            self.outcome.counts.append(0)
        if not self._isProgram:
            self._inside[thread] = None
            return
        index = self._order[thread]
        self.outcome.counts[index] += 1
        _ptrace(_GETREGS, thread, None, self._address)
        call = Call(self.process, thread, index, self.outcome.counts[index], self._registers)
        self._inside[thread] = call
        fate = self.pick(call)
        if fate is None:
            return
        self.outcome.picked = f"{call.name} of thread {index}, call {call.number}"
        call.fate = fate
        if fate.kill:
            os.kill(self.process, signal.SIGKILL)
        elif fate.error is not None:
            # No call has this number: nothing is done.
            self._registers[_ORIG_RAX] = 2**64 - 1
            _ptrace(_SETREGS, thread, None, self._address)
        elif fate.shorten:
            self._registers[_RDX] = max(1, self._registers[_RDX] // 2)
            _ptrace(_SETREGS, thread, None, self._address)

    def _leave(self, call):
        isFailing = call.fate is not None and call.fate.error is not None
        if not isFailing and self.done is None:
            return
        _ptrace(_GETREGS, call.thread, None, self._address)
        if isFailing:
            self._registers[_RAX] = 2**64 - call.fate.error
            _ptrace(_SETREGS, call.thread, None, self._address)
        call.result = ctypes.c_longlong(self._registers[_RAX]).value
        if self.done is not None:
            self.done(call)
