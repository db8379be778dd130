import Glibc
import Host
import TestSupport
import Testing

@Suite struct StateDirectoryTests {
    let temporary: TemporaryDirectory
    let user = geteuid()

    init() throws { temporary = try TemporaryDirectory() }

    @Test func `a missing directory is made with its parents for the owner alone`() throws {
        let made = try StateDirectory(preparing: temporary.path(of: "a/b"), user: user)
        #expect(made.path == temporary.path(of: "a/b"))
        #expect(try mode(of: temporary.path(of: "a")) == 0o700)
        #expect(try mode(of: made.path) == 0o700)
    }

    @Test func `a new directory has mode 0700 whatever the umask`() async {
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryDirectory()
            umask(0o777)
            _ = try StateDirectory(preparing: temporary.path(of: "wide"), user: geteuid())
            #expect(try mode(of: temporary.path(of: "wide")) == 0o700)
            umask(0)
            _ = try StateDirectory(preparing: temporary.path(of: "none/deep"), user: geteuid())
            #expect(try mode(of: temporary.path(of: "none")) == 0o700)
            #expect(try mode(of: temporary.path(of: "none/deep")) == 0o700)
        }
    }

    @Test(
        arguments: [
            (0o700, 0o600), (0o750, 0o640), (0o755, 0o644), (0o711, 0o600), (0o705, 0o604),
        ] as [(UInt32, UInt32)])
    func `cache files take the directory's read bits`(directory: UInt32, file: UInt32) throws {
        try #require(chmod(temporary.path, directory) == 0)
        #expect(try StateDirectory(existing: temporary.path, user: user).fileMode == file)
    }

    @Test(arguments: [0o770, 0o777, 0o702, 0o1777] as [UInt32])
    func `a directory that others may write to is refused with the chmod`(wide: UInt32) throws {
        try #require(chmod(temporary.path, wide) == 0)
        let error = #expect(throws: FileError.self) {
            try StateDirectory(preparing: temporary.path, user: user)
        }
        #expect(error == .writableByOthers(temporary.path, isDirectory: true))
        #expect(error?.hint == "Run: chmod go-w \(temporary.path)")
        #expect(try mode(of: temporary.path) == wide)
    }

    @Test(.enabled(if: isRoot))
    func `a directory of another user is refused with both users named`() throws {
        try #require(chown(temporary.path, somebodyElse, somebodyElse) == 0)
        let error = #expect(throws: FileError.self) {
            try StateDirectory(preparing: temporary.path, user: user)
        }
        #expect(
            error == .foreignOwner(temporary.path, owner: somebodyElse, expected: user))
        #expect(error?.hint == "Run as its owner, or run: chown \(user) \(temporary.path)")
    }

    @Test func `a relative path, an empty one and one with a NUL are refused`() {
        #expect(throws: FileError.relativePath("state")) {
            try StateDirectory(preparing: "state", user: user)
        }
        #expect(throws: FileError.unusablePath("")) {
            try StateDirectory(preparing: "", user: user)
        }
        #expect(throws: FileError.unusablePath("/tmp/\0x")) {
            try StateDirectory(preparing: "/tmp/\0x", user: user)
        }
    }

    @Test func `a file in the directory's place is refused`() throws {
        let path = try temporary.write("file")
        #expect(throws: FileError.notADirectory(path)) {
            try StateDirectory(preparing: path, user: user)
        }
        #expect(throws: FileError.notADirectory(path + "/below")) {
            try StateDirectory(preparing: path + "/below", user: user)
        }
    }

    @Test func `a link to a directory is resolved once`() throws {
        let real = try StateDirectory(preparing: temporary.path(of: "real"), user: user)
        try #require(symlink("real", temporary.path(of: "link")) == 0)
        let seen = try StateDirectory(preparing: temporary.path(of: "link/."), user: user)
        #expect(seen == real)
        #expect(seen.path(of: "x") == temporary.path(of: "real/x"))
    }

    @Test func `a directory put in its place later is refused`() throws {
        let path = temporary.path(of: "state")
        let directory = try StateDirectory(preparing: path, user: user)
        try #require(rename(path, temporary.path(of: "old")) == 0)
        try #require(mkdir(path, 0o700) == 0)
        #expect(throws: FileError.replaced(path)) {
            try directory.replaceFile("token", with: [1])
        }
    }

    @Test func `a missing directory is an error to who makes none`() {
        let path = temporary.path(of: "none")
        #expect(throws: FileError.missing(path)) {
            try StateDirectory(existing: path, user: user)
        }
    }

    @Test func `a path with spaces, quotes and a newline works and is quoted in hints`() throws {
        let path = temporary.path(of: "it's a\nplace")
        _ = try StateDirectory(preparing: path, user: user)
        try #require(chmod(path, 0o777) == 0)
        let error = #expect(throws: FileError.self) {
            try StateDirectory(preparing: path, user: user)
        }
        #expect(
            error?.hint == "Run: chmod go-w '\(temporary.path)/it'\\''s a\\nplace'")
        #expect(error?.description.contains("\n") == false)
    }
}
