internal import CommandLine
internal import Host
internal import Store

extension Command {
    static let backup = Command(
        "backup", "Writes a consistent copy of the cache while others write.",
        operands: OperandRule(name: "a FILE that does not exist yet", usage: "FILE", count: 1...1),
        notes: [
            "When the command ends, the copy is whole and on the disk, or there is none. Only you",
            "can read it. To restore it, stop the daemon, move the cache and its -wal and -shm",
            "files away, and copy the backup to the cache's place.",
        ], statuses: [.data, .tryLater, .configuration],
        examples: ["syncd backup cache.backup.sqlite"]
    ) { arguments, composition async throws(CommandError) in
        let file = arguments.operands[0]
        guard !file.isEmpty else { throw arguments.usage("`backup` needs the name of a file") }
        let path = try composition.absolute(file)
        let store = try composition.openForReading(
            try composition.place(for: arguments), keepsRights: true)
        do throws(StoreError) {
            try await store.backup(to: path)
        } catch .cannotOpen(path, let reason) {
            throw .input(
                "the copy \(path) cannot be made: \(reason)",
                hint: "Check that its directory exists and that you may write to it.")
        } catch {
            throw .store(error)
        }
        composition.console.note("the cache was copied to \(path)")
        return .ok
    }
}
