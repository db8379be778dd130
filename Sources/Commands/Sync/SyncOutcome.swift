package import CommandLine
package import Declarations
internal import Host
package import Store
package import SyncEngine

/// How a sync went, whether this process or a daemon did it.
package struct SyncOutcome: Sendable, Hashable {
    /// The daemon that did it; nil for this process.
    let daemon: Int32?
    package let lists: [ListOutcome]
    let queue: QueueCounts
    /// Operations that the server refused for good and that wait for the person.
    let rejected: [OperationRow]
    /// Deletes that wait for the person, of the lists that were synced.
    let held: [HeldDeletes]

    /// What became of one list.
    package struct ListOutcome: Sendable, Hashable {
        let row: StatusRow
        /// What the cycle found; nil where a daemon did it.
        let report: CycleReport?
        /// What was sent; by a daemon, since it was asked.
        package let replay: ReplayCounts

        /// Nil for a state that this build does not know.
        var state: SyncState? { SyncState(rawValue: row.state) }

        /// The sentence of a cycle that did not go well, or of a list that is not the whole one.
        package var problem: String? {
            guard state != .ok else { return row.notice }
            return row.lastError ?? "the server asked to wait"
        }

        package var hint: String? {
            switch state {
            case .ok: row.notice == nil ? nil : row.hint
            case .waiting:
                "Try again after \(row.nextDueAt ?? "a while"); the server asked to wait."
            case .offline, .failing, .needsCredentials, .misconfigured, .untrusted, .held, nil:
                report?.hint ?? row.hint
            }
        }

        package var status: ExitCode {
            .worst(of: [
                Self.status(of: state), row.halt.map { Self.status(of: $0.state) } ?? .ok,
                row.changes.stuck > 0 || row.isCut ? .findings : .ok,
            ])
        }

        private static func status(of state: SyncState?) -> ExitCode {
            switch state {
            case .ok: .ok
            case .offline, .failing, .untrusted: .unavailable
            case .needsCredentials: .credentials
            case .misconfigured: .configuration
            case .held, .waiting, nil: .tryLater
            }
        }
    }

    /// The result for `lists` is read from the cache, so it is the same for every process that
    /// synced. `before` are the status rows from before the sync.
    package static func read(
        _ lists: [ListName], from store: CacheStore, since before: [StatusRow],
        reports: [CycleReport], daemon: Int32?
    ) async throws(StoreError) -> SyncOutcome {
        let rows = try await store.status()
        let outcomes = lists.compactMap { list in
            rows.first { $0.list == list.text }.map { row in
                let earlier = before.first { $0.list == list.text }
                let report = reports.first { $0.list == list }
                return ListOutcome(
                    row: row, report: report,
                    replay: report?.replay
                        ?? row.replayed.since(earlier?.replayed ?? ReplayCounts()))
            }
        }
        return SyncOutcome(
            daemon: daemon, lists: outcomes, queue: try await store.queueCounts(),
            rejected: try await store.outbox().filter { $0.state == "rejected" },
            held: try await store.heldDeletes().filter { deletes in
                lists.contains { $0.text == deletes.list }
            })
    }

    package var status: ExitCode {
        .worst(
            of: lists.map(\.status) + (held.isEmpty ? [] : [.tryLater])
                + (hasRefusal ? [.findings] : []))
    }

    /// Whether a change of the lists that were synced is refused for good.
    private var hasRefusal: Bool {
        rejected.contains { operation in lists.contains { $0.row.list == operation.list } }
    }
}
