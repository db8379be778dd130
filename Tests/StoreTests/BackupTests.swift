import Declarations
import Foundation
import Rules
import SQLite
import Store
import TestSupport
import Testing

@Suite struct `a backup in the place of the cache` {
    @Test func `is the same file when it is looked at again`() async throws {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        let copy = cache.directory + "/copy.sqlite"
        try await cache.store.backup(to: copy)
        let store = try Cache.open(.file(copy))
        _ = try await store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        try await store.beginMoviesPull()
    }
}

@Suite struct `a backup` {
    private func filled(_ place: StorePlace = .file) async throws -> Cache {
        let cache = try Cache(place)
        try await cache.store.pull(list([(1, "pulled")]))
        try await cache.store.pull(movies: [movies(1...30)])
        _ = try await cache.store.add("milk")
        _ = try await cache.store.delete(TodoID(rawValue: 1), in: .rejected)
        return cache
    }

    private func mode(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.posixPermissions] as? Int
    }

    @Test(arguments: StorePlace.allCases)
    func `it is the cache, whole, private and ours`(place: StorePlace) async throws {
        let cache = try await filled(place)
        let path = cache.directory + "/backup.sqlite"
        try await cache.store.backup(to: path)
        #expect(try mode(path) == 0o600)
        let copy = try Cache.open(.file(path))
        #expect(try await copy.todos(search: nil) == (try await cache.store.todos(search: nil)))
        #expect(try await copy.outbox() == (try await cache.store.outbox()))
        #expect(try await copy.lastRevision() == (try await cache.store.lastRevision()))
        let found = try await copy.searchMovies(text: "m17", from: nil, to: nil, limit: nil)
        #expect(found.map(\.id) == [17])
        #expect(try await copy.check().filter { $0.severity != .note } == [])
        #expect(try await copy.add("new") == TodoID(rawValue: 3))
    }

    @Test func `what a killed one left is removed by the next, and no other file is`() async throws
    {
        let cache = try await filled()
        let gone = try run("/bin/sh", ["-c", "echo $$"])
        let process = gone.output.split(separator: "\n").joined()
        let others = ["backup.sqlite.\(process)", ".backup.sqlite.1.0.draft"]
        for name in others + [".backup.sqlite.\(process).0.draft"] {
            try Data().write(to: URL(fileURLWithPath: cache.directory + "/" + name))
        }
        try await cache.store.backup(to: cache.directory + "/backup.sqlite")
        let names = try FileManager.default.contentsOfDirectory(atPath: cache.directory)
            .filter { $0.contains("backup") }.sorted()
        #expect(names == (others + ["backup.sqlite"]).sorted())
    }

    @Test func `one who only reads can make it, and still cannot write`() async throws {
        let cache = try await filled()
        let reader = try Cache.open(.readOnlyFile(cache.path))
        try await reader.backup(to: cache.directory + "/backup.sqlite")
        await #expect(throws: StoreError.self) { try await reader.add("bread") }
        await #expect(throws: StoreError.self) {
            try await reader.withConnection { try $0.run("CREATE TEMP TABLE t (a)") }
        }
        let copy = try Cache.open(.file(cache.directory + "/backup.sqlite"))
        #expect(try await copy.todos(search: nil).count == 2)
    }

    @Test func `a writer at work neither waits nor is in it by half`() async throws {
        let cache = try await filled()
        let script = try cache.script()
        try script.run("BEGIN IMMEDIATE")
        try script.run("INSERT INTO todos (title) VALUES ('under way')")
        try await cache.store.backup(to: cache.directory + "/backup.sqlite")
        try script.run("COMMIT")
        let copy = try Cache.open(.file(cache.directory + "/backup.sqlite"))
        #expect(try await copy.todos(search: "under").isEmpty)
        #expect(try await cache.store.todos(search: "under").count == 1)
    }

    @Test func `a file, a link or a directory that is there is left alone`() async throws {
        let cache = try await filled()
        let path = cache.directory + "/backup.sqlite"
        let link = cache.directory + "/link"
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: cache.directory + "/nowhere")
        for name in [path, link, cache.directory, cache.path] {
            await #expect(throws: StoreError.occupied(path: name)) {
                try await cache.store.backup(to: name)
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("theirs".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: cache.directory).sorted() == [
                "backup.sqlite", "cache.sqlite", "cache.sqlite-shm", "cache.sqlite-wal", "link",
            ])
    }

    @Test func `a place where no file can be made is an error that leaves nothing`() async throws {
        let cache = try await filled()
        let path = cache.directory + "/none/backup.sqlite"
        let error = await #expect(throws: StoreError.self) {
            try await cache.store.backup(to: path)
        }
        #expect(error == .cannotOpen(path: path, reason: "No such file or directory"))
        for relative in ["backup.sqlite", "file:x?mode=memory", ""] {
            await #expect(throws: StoreError.self) {
                try await cache.store.backup(to: relative)
            }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: cache.directory).sorted()
                == ["cache.sqlite", "cache.sqlite-shm", "cache.sqlite-wal"])
    }

    @Test func `a name that SQLite would read otherwise is a name`() async throws {
        let cache = try await filled()
        let path = cache.directory + "/it's a ?mode=memory&x %41 \n backup"
        try await cache.store.backup(to: path)
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
