import CFaultVFS
import Declarations
import Foundation
import SQLite
import Store
import Testing

@Suite struct `a file system without shared memory` {
    private let scratch: ScratchDirectory

    init() throws {
        try #require(fault_vfs_install() == 0)
        scratch = try ScratchDirectory()
    }

    /// The path of an empty cache in a directory of this name, by which the VFS knows it.
    private func made(in folder: String) throws -> String {
        let folder = scratch.path + "/" + folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Cache.makeEmptyFile(folder + "/cache.sqlite")
        return folder + "/cache.sqlite"
    }

    @Test func `has a cache that works, without a log, and says so`() async throws {
        let path = try made(in: "without-shm")
        let store = try Cache.open(.file(path))
        #expect(!store.hasWAL)
        try await store.pull(list([(1, "pulled")]))
        _ = try await store.add("milk")
        try await store.checkpointIfDue()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        let again = try Cache.open(.file(path))
        #expect(try await again.todos(search: nil).map(\.title) == ["pulled", "milk"])
        let found = try await again.check().filter { $0.severity != .note }
        #expect(found.map(\.subject) == ["journal"])
        #expect(found.first?.hint.contains("local disk") == true)
    }

    @Test func `keeps what a person wrote by a journal that is cut off, and synced`() async throws {
        let path = try made(in: "without-shm")
        let store = try Cache.open(.file(path))
        _ = try await store.add("milk")
        let modes = try await store.withConnection { connection in
            try ["journal_mode", "synchronous"].map { name in
                try connection.first("PRAGMA \(name)") { $0.text(0) }
            }
        }
        #expect(modes == ["truncate", "2"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "-journal")
        #expect(attributes[.size] as? Int == 0)
    }

    @Test func `that refuses to map it is named in the error`() throws {
        let path = try made(in: "failing-shm")
        let error = #expect(throws: StoreError.self) { try Cache.open(.file(path)) }
        #expect(error?.description.contains(path) == true)
        #expect(error?.description.contains("programs can share") == true)
    }

    @Test func `is not every one`() async throws {
        let cache = try Cache()
        #expect(cache.store.hasWAL)
        #expect(try Cache(.memory).store.hasWAL)
        #expect(try await cache.store.check().filter { $0.subject == "journal" } == [])
    }
}
