internal import CommandLine
internal import Host
internal import Rendering
internal import Store

/// Tells the changes of a cache as they are committed, by whatever process.
struct ChangeWatch: Sendable {
    let composition: Composition
    let place: CachePlace
    /// The one table or view whose changes are wanted; nil for all.
    let list: String?
    /// What is run for each batch; nil to print.
    let command: String?

    /// So many changes are read, and handed to a command, at a time.
    private static let batchSize = 1000
    /// Before every log: the next look tells a gap, and goes on at its end.
    private static let noRevision: Int64 = -1

    /// Tells every change after `revision`, or after this moment, until a signal ends it. What was
    /// committed before the signal is told before it ends.
    func run(since revision: Int64?) async throws(CommandError) -> ExitCode {
        let notices = WriteNotices(on: composition.queue, time: composition.time)
        try CommandError.trying(CommandError.system, try notices.listenForSignals())
        let follower = CacheFollower(
            composition: composition, place: place, notices: notices, followsLock: false)
        var store = try await follower.open()
        var last: Int64
        if let revision { last = revision } else { last = try await newest(of: store) }
        composition.console.note("watching from revision \(last) on")
        while true {
            // The sign comes before the look: what is committed between them is in the look.
            let isLast = notices.isInterrupted
            if let successor = try await follower.successor(of: store) {
                store = successor.store
                if !successor.isSameCache { last = Self.noRevision }
            }
            var batch: ChangeBatch
            repeat {
                batch = try await changes(in: store, after: last)
                if !batch.lines.isEmpty { try await hand(over: batch.lines, notices) }
                last = batch.next
            } while batch.rows.count == Self.batchSize
            if isLast { return .interrupted }
            if !notices.isInterrupted { await notices.next(of: store) }
        }
    }

    private func newest(of store: CacheStore) async throws(CommandError) -> Int64 {
        try await CommandError.awaiting(CommandError.store, try await store.lastRevision())
    }

    private func changes(
        in store: CacheStore, after revision: Int64
    ) async throws(CommandError) -> ChangeBatch {
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.changes(since: revision, of: list, limit: Self.batchSize)
        }
    }

    private func hand(
        over page: [JSONValue], _ notices: WriteNotices
    ) async throws(CommandError) {
        let lines = page.flatMap { JSONLines.bytes(of: $0) }
        guard let command else {
            try composition.console.write(lines)
            return try composition.console.flush()
        }
        let child = try CommandError.from(CommandError.system) { () throws(SystemError) in
            try ChildCommand(shell: command, input: lines, on: composition.queue)
        }
        notices.whenInterrupted { child.terminate() }
        let status = await child.ending()
        notices.whenInterrupted(nil)
        if status != 0 && !notices.isInterrupted {
            composition.console.warn("the command of --exec ended with \(status)")
        }
    }
}
