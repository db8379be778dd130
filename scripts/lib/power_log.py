"""Logs what a program writes and syncs, and rebuilds what a power loss can leave of it. Imported,
never run.

The model is an honest disk, and nothing more: what was written to a file before a sync of it that
has returned is kept. Everything else may be kept or not, each sector of 512 bytes for itself and in
any order; so may each change of a file's size. A name that was made, moved or removed is kept when
the directory was synced, else it may be kept or not, each for itself."""

import copy
import os

import tracer

SECTOR = 512
_CREATES = os.O_CREAT


class Write:
    """Bytes at a place of a file."""

    def __init__(self, offset, data):
        self.offset = offset
        self.data = data

    def sectors(self):
        """The pieces of it that a disk writes in one step, as (offset, bytes)."""
        at, end = self.offset, self.offset + len(self.data)
        while at < end:
            until = min(end, (at // SECTOR + 1) * SECTOR)
            yield at, self.data[at - self.offset:until - self.offset]
            at = until

    def apply(self, content, keeps):
        for offset, data in self.sectors():
            if not keeps():
                continue
            if len(content) < offset + len(data):
                content.extend(bytes(offset + len(data) - len(content)))
            content[offset:offset + len(data)] = data


class Resize:
    """A file that is cut or made longer."""

    def __init__(self, size, isAtLeast=False):
        self.size = size
        self.isAtLeast = isAtLeast

    def apply(self, content, keeps):
        if not keeps():
            return
        if self.size < len(content) and not self.isAtLeast:
            del content[self.size:]
        elif self.size > len(content):
            content.extend(bytes(self.size - len(content)))


class Names:
    """What becomes of names in one directory, in one step: name to inode, None where it goes."""

    def __init__(self, changes):
        self.changes = changes


class Disk:
    """What is kept for sure, and what is under way, of a tree of files."""

    def __init__(self, root):
        self.root = os.stat(root).st_ino
        self.contents = {}
        self.names = {}
        self.pending = {}
        # Made since.
        self.directories = set()
        self._read(root)

    def copy(self):
        """The disk as it is now; what it is made of never changes."""
        made = copy.copy(self)
        made.contents = dict(self.contents)
        made.names = {number: dict(entries) for number, entries in self.names.items()}
        made.pending = {number: list(changes) for number, changes in self.pending.items()}
        made.directories = set(self.directories)
        return made

    def _read(self, path):
        number = os.stat(path).st_ino
        self.names[number] = {}
        for entry in os.scandir(path):
            self.names[number][entry.name] = entry.inode()
            if entry.is_dir(follow_symlinks=False):
                self._read(entry.path)
            else:
                with open(entry.path, "rb") as file:
                    self.contents[entry.inode()] = file.read()

    def note(self, number, change):
        """A change that is under way."""
        self.pending.setdefault(number, []).append(change)

    def under_way(self, number):
        return len(self.pending.get(number, ()))

    def sync(self, number, count):
        """The first `count` changes of a file or directory are on the disk."""
        changes = self.pending.get(number, [])
        done, self.pending[number] = changes[:count], changes[count:]
        self._settle(number, done, self.contents, self.names, lambda: True)

    @staticmethod
    def _settle(number, changes, contents, names, keeps):
        content = None
        for change in changes:
            if isinstance(change, Names):
                if keeps():
                    here = names.setdefault(number, {})
                    for name, target in change.changes.items():
                        here.pop(name, None)
                        if target is not None:
                            here[name] = target
                continue
            if content is None:
                content = bytearray(contents.get(number, b""))
            change.apply(content, keeps)
        if content is not None:
            contents[number] = bytes(content)

    def after_loss(self, choose):
        """A tree as {path: bytes} that a power loss now can leave. `choose(number, place)` decides
        about one change: it returns a function that says of each of its pieces whether it stays."""
        contents = dict(self.contents)
        names = {number: dict(entries) for number, entries in self.names.items()}
        for number, changes in self.pending.items():
            for place, change in enumerate(changes):
                self._settle(number, [change], contents, names, choose(number, place))
        return self._tree(contents, names, self.root, "")

    def _tree(self, contents, names, number, path):
        found = {}
        for name, target in names.get(number, {}).items():
            here = f"{path}/{name}" if path else name
            if target in names or target in self.directories:
                found[here] = None
                found.update(self._tree(contents, names, target, here))
            else:
                found[here] = contents.get(target, b"")
        return found


class Recorder:
    """Runs programs one after another and follows what they do to the files below `root`.

    `cut` is called after each change and each mark, with the disk as it is then. The program stands
    still meanwhile."""

    def __init__(self, root, cut):
        self.root = root
        self.disk = Disk(root)
        self.cut = cut
        self.points = 0
        # Told by the caller: what bytes that go to standard output, or to a socket, mean.
        self.heard = lambda data: None
        self.sent = lambda data: None

    def point(self):
        self.points += 1
        self.cut(self.disk)

    def run(self, arguments, environment, directory, diesInCommit=False):
        """Returns the exit status. With `diesInCommit` the program is killed before the first sync of
        more than a few writes."""
        self._diesInCommit = diesInCommit
        with open(os.devnull, "wb") as null:
            follower = tracer.Tracer(self._before, self._after)
            follower.start(arguments, environment, null.fileno(), 2, directory)
            return follower.follow().status

    def _inside(self, path):
        return path.startswith(self.root + "/") and not path.endswith("-shm")

    def _number(self, call, place):
        return os.stat(f"/proc/{call.process}/fd/{call.signed(place)}").st_ino

    def _before(self, call):
        name = call.name
        if name == "openat" and call.arguments[2] & (_CREATES | os.O_TRUNC):
            path = call.absolute(1, 0)
            if self._inside(path):
                call.note = (path, os.path.lexists(path))
        elif name == "open":
            raise SystemExit("open(2) is not followed")
        elif name in ("fsync", "fdatasync"):
            if (call.path_of(0) + "/").startswith(self.root + "/"):
                number = self._number(call, 0)
                call.note = (number, self.disk.under_way(number))
                if self._diesInCommit and self.disk.under_way(number) > 4:
                    return tracer.KILL
        elif name in ("unlink", "unlinkat", "rename", "renameat", "link", "mkdir", "linkat",
                      "renameat2", "mkdirat"):
            call.note = self._names(call)
        elif name in ("pwrite64", "write", "sendto", "sendmsg"):
            call.note = self._bytes(call)
        return None

    def _bytes(self, call):
        path = call.path_of(0)
        if path.startswith("socket:"):
            if call.name != "sendmsg":
                self.sent(call.bytes(call.arguments[1], call.arguments[2]))
            return None
        if call.name == "write" and call.signed(0) == 1:
            return "heard", call.bytes(call.arguments[1], call.arguments[2])
        if self._inside(path):
            return self._number(call, 0), call.bytes(call.arguments[1], call.arguments[2])
        return None

    def _names(self, call):
        """The directory and its changes; both names of a move are in one."""
        if call.name in ("unlink", "unlinkat"):
            old, new = call.absolute(*((0,) if call.name == "unlink" else (1, 0))), None
        elif call.name in ("mkdir", "mkdirat"):
            old, new = None, call.absolute(*((0,) if call.name == "mkdir" else (1, 0)))
        elif call.name in ("rename", "link"):
            old, new = call.absolute(0), call.absolute(1)
        else:
            old, new = call.absolute(1, 0), call.absolute(3, 2)
        if not self._inside(new or old):
            return None
        target = os.lstat(old).st_ino if old and os.path.lexists(old) else None
        return old, new, target

    def _after(self, call):
        if call.note is None or call.result is None or call.result < 0:
            return
        name = call.name
        if name == "openat":
            self._opened(call)
        elif name in ("fsync", "fdatasync"):
            self.disk.sync(*call.note)
            self.point()
        elif name in ("pwrite64", "write"):
            self._wrote(call)
        elif name not in ("sendto", "sendmsg"):
            self._named(call)

    def _opened(self, call):
        path, wasThere = call.note
        number = os.stat(path).st_ino
        if not wasThere:
            self.disk.note(self._parent(path), Names({os.path.basename(path): number}))
            self.point()
        elif call.arguments[2] & os.O_TRUNC:
            self.disk.note(number, Resize(0))
            self.point()

    def _wrote(self, call):
        number, data = call.note
        if number == "heard":
            self.heard(data)
            return
        data = data[:call.result]
        if call.name == "pwrite64":
            offset = call.arguments[3]
        else:
            with open(f"/proc/{call.process}/fdinfo/{call.signed(0)}", encoding="ascii") as facts:
                offset = int(facts.readline().split()[1]) - len(data)
        self.disk.note(number, Write(offset, data))
        self.point()

    def _named(self, call):
        old, new, target = call.note
        if call.name in ("mkdir", "mkdirat"):
            target = os.stat(new).st_ino
            self.disk.directories.add(target)
        isMove = call.name.startswith("rename")
        if isMove and self._parent(old) != self._parent(new):
            raise SystemExit("a move from one directory to another is not followed")
        changes = {}
        if new:
            changes[os.path.basename(new)] = target
        if old and not call.name.startswith("link"):
            changes[os.path.basename(old)] = None
        self.disk.note(self._parent(new or old), Names(changes))
        self.point()

    @staticmethod
    def _parent(path):
        return os.stat(os.path.dirname(path)).st_ino


def choices(disk, chance, drawn):
    """Ways to decide what of the changes under way is kept, as functions for `Disk.after_loss`."""
    def all_or_none(word):
        return lambda number, place: lambda: word

    def but(one, word):
        return lambda number, place: lambda: word if (number, place) == one else not word

    def sectors(rate):
        return lambda number, place: lambda: chance.random() < rate

    def torn(one, isHead):
        """All before it, and of this change the first sectors or the last ones."""
        def choose(number, place):
            if (number, place) != one:
                return lambda: True
            change = disk.pending[number][place]
            count = len(list(change.sectors())) if isinstance(change, Write) else 1
            steps = iter(range(count))
            cut = chance.randrange(count) if count > 1 else 0
            return lambda: (next(steps) < cut) == isHead
        return choose

    yield all_or_none(False)
    yield all_or_none(True)
    changes = [(number, place) for number, pending in disk.pending.items()
               for place in range(len(pending))]
    for one in changes[-4:]:
        yield but(one, True)
        yield but(one, False)
    for one in changes[-2:]:
        yield torn(one, True)
        yield torn(one, False)
    if changes:
        for _ in range(drawn):
            yield sectors(chance.choice((0.1, 0.5, 0.9)))
