import Foundation
import Glibc
import Host
import TestSupport
import Testing

@Suite struct `a file that a process obeys` {
    let temporary: TemporaryDirectory
    let user = geteuid()

    init() throws { temporary = try TemporaryDirectory() }

    private func read(_ path: String) throws(FileError) -> (bytes: [UInt8], exposure: FileError?) {
        try SmallFile(path: path, limit: 100).readTrusted(user: user)
    }

    private func makeDirectory(_ name: String, mode: UInt32) throws -> String {
        let path = temporary.path(of: name)
        try #require(mkdir(path, 0o700) == 0 && chmod(path, mode) == 0)
        return path
    }

    @Test(arguments: [0o400, 0o600, 0o700] as [UInt32])
    func `F5: the owner's alone is read, and may hold a secret`(mode: UInt32) throws {
        let content = try read(try temporary.write("config", "text", mode: mode))
        #expect(content.bytes == Array("text".utf8))
        #expect(content.exposure == nil)
    }

    @Test(arguments: [0o640, 0o604, 0o644] as [UInt32])
    func `F5: one that others can read is read, and is no place for a secret`(mode: UInt32) throws {
        let path = try temporary.write("config", "text", mode: mode)
        #expect(try read(path).exposure == .readableByOthers(path))
    }

    @Test(arguments: [0o620, 0o602, 0o666, 0o664] as [UInt32])
    func `F5: one that others can write is refused with the chmod`(mode: UInt32) throws {
        let path = try temporary.write("config", mode: mode)
        let error = #expect(throws: FileError.self) { try read(path) }
        #expect(error == .writableByOthers(path, isDirectory: false))
        #expect(error?.hint == "Run: chmod go-w \(path)")
    }

    @Test(arguments: [0o770, 0o702, 0o777] as [UInt32])
    func `F5: one in a directory that others can write to is refused, a secret too`(
        mode: UInt32
    ) throws {
        let folder = try makeDirectory("wide", mode: 0o700)
        let path = try temporary.write("wide/config")
        try #require(chmod(folder, mode) == 0)
        let refusal = FileError.writableByOthers(folder, isDirectory: true)
        #expect(throws: refusal) { try read(path) }
        #expect(throws: refusal) { try SmallFile(path: path, limit: 9).readSecret(user: user) }
        // There only the owner of a file can replace it.
        try #require(chmod(folder, mode | 0o1000) == 0)
        #expect(throws: Never.self) { try read(path) }
    }

    @Test func `F5: a link is followed, and its directory judged as well`() throws {
        let wide = try makeDirectory("wide", mode: 0o700)
        let narrow = try makeDirectory("narrow", mode: 0o700)
        try temporary.write("narrow/config", "text")
        for (link, target) in [
            ("narrow/next", "config"), ("wide/away", "../narrow/next"), ("narrow/round", "round"),
            ("first", narrow + "/next"), ("lost", "nowhere"),
        ] {
            try #require(symlink(target, temporary.path(of: link)) == 0)
        }
        #expect(try read(temporary.path(of: "first")).bytes == Array("text".utf8))
        #expect(try read(wide + "/away").bytes == Array("text".utf8))
        #expect(throws: FileError.missing(temporary.path(of: "nowhere"))) {
            try read(temporary.path(of: "lost"))
        }
        #expect(throws: FileError.self) { try read(narrow + "/round") }
        try #require(chmod(wide, 0o777) == 0)
        #expect(throws: FileError.writableByOthers(wide, isDirectory: true)) {
            try read(wide + "/away")
        }
        try #require(chmod(wide, 0o700) == 0 && chmod(narrow, 0o777) == 0)
        #expect(throws: FileError.self) { try read(wide + "/away") }
    }

    @Test func `N6: a directory that is a link is judged as a link to the file is`() throws {
        let wide = try makeDirectory("wide", mode: 0o700)
        _ = try makeDirectory("lists", mode: 0o700)
        try temporary.write("lists/notes.json", "text")
        for (link, target) in [
            ("wide/away", "../lists"), ("near", "wide/away"), ("round", "round"),
        ] {
            try #require(symlink(target, temporary.path(of: link)) == 0)
        }
        #expect(try read(temporary.path(of: "near/notes.json")).bytes == Array("text".utf8))
        #expect(throws: FileError.self) { try read(temporary.path(of: "round/notes.json")) }
        // Whoever may write there can lead the link somewhere else.
        try #require(chmod(wide, 0o777) == 0)
        for path in ["near/notes.json", "wide/away/notes.json"] {
            let error = #expect(throws: FileError.self) { try read(temporary.path(of: path)) }
            guard case .writableByOthers(let directory, isDirectory: true) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(directory.hasSuffix("/wide"))
        }
    }

    @Test(.enabled(if: isRoot))
    func `N6: a third user's link to a directory is refused`() throws {
        _ = try makeDirectory("lists", mode: 0o700)
        try temporary.write("lists/notes.json")
        let sticky = try makeDirectory("sticky", mode: 0o1777)
        try #require(symlink("../lists", sticky + "/link") == 0)
        #expect(throws: Never.self) { try read(sticky + "/link/notes.json") }
        try #require(lchown(sticky + "/link", somebodyElse, somebodyElse) == 0)
        #expect(
            throws: FileError.foreignOwner(sticky + "/link", owner: somebodyElse, expected: user)
        ) { try read(sticky + "/link/notes.json") }
    }

    @Test(.enabled(if: isRoot))
    func `F5: a third user's file, directory or link is refused with the chown`() throws {
        let path = try temporary.write("config")
        try #require(chown(path, somebodyElse, somebodyElse) == 0)
        let error = #expect(throws: FileError.self) { try read(path) }
        #expect(error == .foreignOwner(path, owner: somebodyElse, expected: user))
        #expect(error?.hint == "Run as its owner, or run: chown \(user) \(path)")
        let folder = try makeDirectory("folder", mode: 0o755)
        try temporary.write("folder/config")
        try #require(chown(folder, somebodyElse, somebodyElse) == 0)
        #expect(throws: FileError.foreignOwner(folder, owner: somebodyElse, expected: user)) {
            try read(folder + "/config")
        }
        let sticky = try makeDirectory("sticky", mode: 0o1777)
        try temporary.write("mine")
        try #require(symlink("../mine", sticky + "/link") == 0)
        #expect(throws: Never.self) { try read(sticky + "/link") }
        try #require(lchown(sticky + "/link", somebodyElse, somebodyElse) == 0)
        #expect(
            throws: FileError.foreignOwner(sticky + "/link", owner: somebodyElse, expected: user)
        ) {
            try read(sticky + "/link")
        }
    }

    @Test(.enabled(if: isRoot))
    func `F5: of root's file the group may read a secret, others may not`() throws {
        // As the service's user sees it.
        try #require(chmod(temporary.path, 0o755) == 0)
        let path = try temporary.write("secret", "s3cret", mode: 0o640)
        try #require(chown(path, 0, somebodyElse) == 0)
        let file = SmallFile(path: path, limit: 9)
        #expect(try file.readSecret(user: somebodyElse) == Array("s3cret".utf8))
        #expect(try file.readTrusted(user: somebodyElse).exposure == nil)
        for mode: UInt32 in [0o644, 0o660, 0o642] {
            try #require(chmod(path, mode) == 0)
            let error = #expect(throws: FileError.self) { try file.readSecret(user: somebodyElse) }
            #expect(error == .readableByEverybody(path))
            #expect(error?.hint.contains("chmod 640 \(path)") == true)
        }
    }
}

@Suite struct `the way to a file` {
    @Test func `F5: every directory and link up to the root is judged`() throws {
        let temporary = try TemporaryDirectory()
        let user = geteuid()
        let top = temporary.path
        for name in ["a", "a/b", "c"] {
            try #require(mkdir(temporary.path(of: name), 0o700) == 0)
        }
        let path = try temporary.write("a/b/config")
        #expect(PathRisk.onTheWay(to: path, user: user) == [])
        try #require(chmod(top + "/a", 0o775) == 0)
        let wide = PathRisk.others(top + "/a", .writableByOthers(top + "/a", isDirectory: true))
        #expect(PathRisk.onTheWay(to: path, user: user) == [wide])
        try #require(symlink("../a/./b", top + "/c/link") == 0)
        #expect(
            PathRisk.onTheWay(to: top + "/c/link/config", user: user) == [
                .link(top + "/c/link", target: top + "/c/../a/./b"), wide,
            ])
        try #require(chmod(top + "/a", 0o1777) == 0)
        #expect(PathRisk.onTheWay(to: path, user: user) == [])
        #expect(PathRisk.onTheWay(to: top + "/none/config", user: user) == [])
        try #require(symlink("round", top + "/round") == 0)
        #expect(PathRisk.onTheWay(to: top + "/round", user: user).count == 1)
        guard isRoot else { return }
        try #require(chown(top + "/a/b", somebodyElse, somebodyElse) == 0)
        #expect(
            PathRisk.onTheWay(to: path, user: user) == [
                .others(
                    top + "/a/b",
                    .foreignOwner(top + "/a/b", owner: somebodyElse, expected: user))
            ])
    }
}
