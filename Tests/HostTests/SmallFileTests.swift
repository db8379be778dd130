import Glibc
import Host
import TestSupport
import Testing

@Suite struct SmallFileTests {
    let temporary: TemporaryDirectory
    let user = geteuid()

    init() throws { temporary = try TemporaryDirectory() }

    private func directory() throws -> StateDirectory {
        try StateDirectory(existing: temporary.path, user: user)
    }

    @Test func `a file is replaced whole and leaves no other file behind`() throws {
        try temporary.write("token", "old", mode: 0o644)
        try directory().replaceFile("token", with: Array("new".utf8))
        #expect(try contents(of: temporary.path(of: "token")) == "new")
        #expect(try mode(of: temporary.path(of: "token")) == 0o600)
        #expect(try temporary.names() == ["token"])
    }

    @Test func `a new file has its mode whatever the umask`() async {
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryDirectory()
            let directory = try StateDirectory(existing: temporary.path, user: geteuid())
            umask(0)
            try directory.replaceFile("a", with: [1])
            umask(0o777)
            try directory.replaceFile("b", with: [1], mode: 0o640)
            #expect(try mode(of: temporary.path(of: "a")) == 0o600)
            #expect(try mode(of: temporary.path(of: "b")) == 0o640)
        }
    }

    @Test func `a link is replaced and what it leads to is not touched`() throws {
        let target = try temporary.write("target", "mine")
        try #require(symlink(target, temporary.path(of: "token")) == 0)
        #expect(throws: FileError.symbolicLink(temporary.path(of: "token"))) {
            try directory().readFile("token", limit: 100)
        }
        try directory().replaceFile("token", with: Array("new".utf8))
        #expect(try contents(of: target) == "mine")
        #expect(try contents(of: temporary.path(of: "token")) == "new")
    }

    @Test func `a replacement that fails leaves the old file and no other`() throws {
        try #require(mkdir(temporary.path(of: "token"), 0o700) == 0)
        #expect(throws: FileError.self) { try directory().replaceFile("token", with: [1]) }
        #expect(try temporary.names() == ["token"])
    }

    @Test func `a name that leaves the directory is refused`() throws {
        for name in ["../x", "a/b", "..", ".", "", "a\0b"] {
            #expect(throws: FileError.unusablePath(name)) {
                try directory().replaceFile(name, with: [])
            }
        }
    }

    @Test func `a file is read up to its limit and not one byte over`() throws {
        try temporary.write("small", String(repeating: "x", count: 10))
        let directory = try directory()
        #expect(try directory.readFile("small", limit: 10)?.count == 10)
        #expect(throws: FileError.tooLarge(directory.path(of: "small"), limit: 9)) {
            try directory.readFile("small", limit: 9)
        }
        #expect(try directory.readFile("missing", limit: 9) == nil)
    }

    @Test func `hard links, FIFOs, directories and devices are refused unopened`() throws {
        let directory = try directory()
        try temporary.write("one")
        try #require(link(directory.path(of: "one"), directory.path(of: "two")) == 0)
        try #require(mkfifo(directory.path(of: "fifo"), 0o600) == 0)
        try #require(mkdir(directory.path(of: "directory"), 0o700) == 0)
        #expect(throws: FileError.hardLinked(directory.path(of: "two"), links: 2)) {
            try directory.readFile("two", limit: 9)
        }
        #expect(throws: FileError.notARegularFile(directory.path(of: "fifo"), kind: "a FIFO")) {
            try directory.readFile("fifo", limit: 9)
        }
        let found = FileError.notARegularFile(directory.path(of: "directory"), kind: "a directory")
        #expect(throws: found) { try directory.readFile("directory", limit: 9) }
        #expect(throws: FileError.notARegularFile("/dev/zero", kind: "a device")) {
            try SmallFile(path: "/dev/zero", limit: 9).read()
        }
        #expect(throws: FileError.self) {
            try SmallFile(path: directory.path(of: "fifo"), limit: 9).read()
        }
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o620, 0o610] as [UInt32])
    func `a secret that others can reach is refused with the chmod`(wide: UInt32) throws {
        let path = try temporary.write("secret", "s3cret", mode: wide)
        let file = SmallFile(path: path, limit: 100)
        let error = #expect(throws: FileError.self) { try file.readSecret(user: user) }
        #expect(error == .readableByOthers(path))
        #expect(error?.hint == "Run: chmod 600 \(path)")
        #expect(throws: FileError.self) {
            try directory().readPrivateFile("secret", limit: 100)
        }
        #expect(try file.readSecret(user: nil) == Array("s3cret".utf8))
    }

    @Test func `a secret of the owner alone is read`() throws {
        let path = try temporary.write("secret", "s3cret", mode: 0o400)
        let secret = Array("s3cret".utf8)
        #expect(try SmallFile(path: path, limit: 6).readSecret(user: user) == secret)
        #expect(try directory().readPrivateFile("secret", limit: 6) == secret)
    }

    @Test func `a link to a secret is refused`() throws {
        try temporary.write("secret", "s3cret")
        let link = temporary.path(of: "link")
        try #require(symlink("secret", link) == 0)
        #expect(throws: FileError.symbolicLink(link)) {
            try SmallFile(path: link, limit: 100).readSecret(user: user)
        }
    }

    @Test(.enabled(if: isRoot))
    func `a secret of a third user is refused`() throws {
        let path = try temporary.write("secret", "s3cret")
        try #require(chown(path, somebodyElse, somebodyElse) == 0)
        let error = FileError.foreignOwner(path, owner: somebodyElse, expected: user)
        #expect(throws: error) { try SmallFile(path: path, limit: 9).readSecret(user: user) }
        #expect(throws: error) { try directory().readFile("secret", limit: 9) }
    }

    @Test func `a file is removed, and a missing one is no error`() throws {
        try temporary.write("token")
        try directory().removeFile("token")
        try directory().removeFile("token")
        #expect(try temporary.names() == [])
    }
}
