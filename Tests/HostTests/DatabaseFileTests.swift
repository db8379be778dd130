import CLinux
import Glibc
import Host
import TestSupport
import Testing

@Suite struct DatabaseFileTests {
    let temporary: TemporaryDirectory
    let user = geteuid()

    init() throws { temporary = try TemporaryDirectory() }

    private func database() throws -> DatabaseFile {
        try DatabaseFile(at: temporary.path(of: "cache.sqlite"), user: user)
    }

    @Test func `a new database is an empty file with the directory's read bits`() async {
        await #expect(processExitsWith: .success) {
            for (directory, file, umask) in [
                (0o700, 0o600, 0), (0o750, 0o640, 0o777), (0o755, 0o644, 0o077),
            ] as [(UInt32, UInt32, UInt32)] {
                let temporary = try TemporaryDirectory()
                try #require(chmod(temporary.path, directory) == 0)
                Glibc.umask(umask)
                let path = temporary.path(of: "cache.sqlite")
                #expect(try DatabaseFile(at: path, user: geteuid()).prepare())
                #expect(try mode(of: path) == file)
                #expect(try contents(of: path) == "")
            }
        }
    }

    @Test func `an existing database is left as it is`() throws {
        let path = try temporary.write("cache.sqlite", "bytes", mode: 0o640)
        #expect(try database().prepare() == false)
        #expect(try contents(of: path) == "bytes")
        #expect(try mode(of: path) == 0o640)
    }

    @Test func `SQLite's locks on an existing database survive the check`() throws {
        // A POSIX lock of this process is dropped by the close of any descriptor of the file. A
        // lock of an open file description has another owner even here, so it meets ours; the
        // kernel's list of all locks comes in pieces, which shift while others let theirs go.
        let path = try temporary.write("cache.sqlite", "bytes")
        let file = open(path, O_RDWR)
        try #require(file >= 0)
        defer { close(file) }
        try #require(lockf(file, F_TLOCK, 0) == 0)
        let database = try database()
        try database.prepare()
        #expect(try DatabaseFile.find(at: path) == path)
        let looking = open(path, O_RDONLY | O_CLOEXEC)
        try #require(looking >= 0)
        // Its close drops the lock, so it comes after the question.
        defer { close(looking) }
        #expect(syncd_is_marked_locked(looking) == 1)
    }

    @Test func `P34: links, hard links, FIFOs and directories are refused`() throws {
        let path = temporary.path(of: "cache.sqlite")
        try temporary.write("other")
        try #require(symlink("other", path) == 0)
        #expect(throws: FileError.symbolicLink(path)) { try database().prepare() }
        #expect(throws: FileError.symbolicLink(path)) { try DatabaseFile.find(at: path) }
        try #require(unlink(path) == 0)
        try #require(link(temporary.path(of: "other"), path) == 0)
        #expect(throws: FileError.hardLinked(path, links: 2)) { try database().prepare() }
        try #require(unlink(path) == 0)
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: FileError.notARegularFile(path, kind: "a FIFO")) {
            try database().prepare()
        }
        try #require(unlink(path) == 0)
        try #require(mkdir(path, 0o700) == 0)
        #expect(throws: FileError.notARegularFile(path, kind: "a directory")) {
            try database().prepare()
        }
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `a link in a companion's place is refused and nothing is made`(suffix: String) throws {
        let link = temporary.path(of: "cache.sqlite" + suffix)
        try #require(symlink("/etc/passwd", link) == 0)
        #expect(throws: FileError.symbolicLink(link)) { try database().prepare() }
        #expect(try temporary.names() == ["cache.sqlite" + suffix])
    }

    @Test func `a database that others may write to is refused`() throws {
        let path = try temporary.write("cache.sqlite", mode: 0o660)
        #expect(throws: FileError.writableByOthers(path, isDirectory: false)) {
            try database().prepare()
        }
    }

    @Test(.enabled(if: isRoot))
    func `a database of another user is refused`() throws {
        let path = try temporary.write("cache.sqlite")
        try #require(chown(path, somebodyElse, somebodyElse) == 0)
        #expect(throws: FileError.foreignOwner(path, owner: somebodyElse, expected: user)) {
            try database().prepare()
        }
    }

    @Test func `a path without a name is refused`() {
        for path in ["/tmp/", "/tmp/..", "/tmp/."] {
            #expect(throws: FileError.unusablePath(path)) {
                try DatabaseFile(at: path, user: user)
            }
        }
        #expect(throws: FileError.relativePath("cache.sqlite")) {
            try DatabaseFile(at: "cache.sqlite", user: user)
        }
    }

    @Test func `a reader finds no database where there is none and makes nothing`() throws {
        #expect(try DatabaseFile.find(at: temporary.path(of: "none/cache.sqlite")) == nil)
        #expect(try DatabaseFile.find(at: temporary.path(of: "cache.sqlite")) == nil)
        #expect(try temporary.names() == [])
    }
}
