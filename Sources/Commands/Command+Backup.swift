internal import Host
internal import Store

extension Command {
    static let backup = Command(
        "backup", "Writes a consistent copy of the cache, also while others write to it.",
        operands: OperandRule(name: "a FILE that does not exist yet", usage: "FILE", count: 1...1),
        notes: [
            "The copy is whole and on the disk when the command ends, or not there; only you can read",
            "it. To restore it: stop the daemon, move the cache and its -wal and -shm files away, and",
            "copy the backup to the cache's place.",
        ], statuses: [.tryLater, .configuration], examples: ["syncd backup cache.backup.sqlite"]
    ) { arguments, composition async throws(CommandError) in
        let file = arguments.operands[0]
        guard !file.isEmpty else { throw arguments.usage("`backup` needs the name of a file") }
        let path = try composition.absolute(file)
        let store = try composition.openForReading(try composition.place(for: arguments))
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.backup(to: path)
        }
        composition.console.note("the cache was copied to \(path)")
        return .ok
    }
}
