internal import Configuration
internal import Host
internal import Rendering
internal import SQLite
internal import Store

/// What `metrics` tells: the cache's state in numbers.
struct CacheMetrics: Sendable, Hashable {
    let status: CacheStatus
    let databaseBytes: Int
    let logBytes: Int

    /// Every state that a resource can be in, so that each has its sample and none comes and goes.
    private static let states: [SyncState] = [
        .ok, .offline, .needsCredentials, .misconfigured, .untrusted, .held, .waiting,
    ]

    /// The families in the order of docs/metrics.md.
    var text: PrometheusText {
        PrometheusText(
            [
                .init(
                    "syncd_info", "The versions of syncd and SQLite; always 1.",
                    [
                        .init(
                            1,
                            [
                                .init("version", Product.version),
                                .init("sqlite", Connection.libraryVersion),
                            ])
                    ]),
                .init(
                    "syncd_daemon_running", "1 while a daemon keeps this cache, else 0.",
                    [.init(status.holder?.role == .daemon ? 1 : 0)]),
            ] + resources + [
                .init(
                    "syncd_outbox_operations", "Operations that the server has not acknowledged.",
                    [
                        queue("queued", status.queue.queued),
                        queue("sending", status.queue.sending),
                        queue("in doubt", status.queue.inDoubt),
                        queue("rejected", status.queue.rejected),
                    ]),
                .init(
                    "syncd_database_size_bytes", "The size of the cache's main file.",
                    [.init(Double(databaseBytes))]),
                .init(
                    "syncd_wal_size_bytes", "The size of the cache's write-ahead log.",
                    [.init(Double(logBytes))]),
            ])
    }

    private var resources: [PrometheusText.Family] {
        [
            .init(
                "syncd_resource_state", "1 for the state that the last cycle ended in, else 0.",
                status.resources.flatMap { row in
                    Self.states.map { state in
                        .init(
                            row.state == state.rawValue ? 1 : 0,
                            [.init("resource", row.resource), .init("state", state.rawValue)])
                    }
                }),
            family("syncd_resource_rows", "Rows that the last pull brought.") {
                $0.rows.map(Double.init)
            },
            family("syncd_resource_failures", "Cycles in a row that failed.") {
                Double($0.failures)
            },
            family("syncd_resource_complete", "1 when the last pull held every row, else 0.") {
                $0.complete.map { $0 ? 1 : 0 }
            },
            family("syncd_last_attempt_timestamp_seconds", "When the last cycle began.") {
                Self.seconds($0.lastAttemptAt)
            },
            family(
                "syncd_last_success_timestamp_seconds",
                "When the last cycle began whose pull was taken."
            ) { Self.seconds($0.lastSuccessAt) },
            family("syncd_next_due_timestamp_seconds", "When the next cycle is due.") {
                Self.seconds($0.nextDueAt)
            },
            family("syncd_last_cycle_duration_seconds", "How long the last cycle took.") {
                $0.durationMilliseconds.map { Double($0) / 1000 }
            },
        ]
    }

    private func queue(_ state: String, _ count: Int64) -> PrometheusText.Sample {
        .init(Double(count), [.init("state", state)])
    }

    /// One sample for each resource of which the number is known.
    private func family(
        _ name: String, _ help: String, _ value: (StatusRow) -> Double?
    ) -> PrometheusText.Family {
        .init(
            name, help,
            status.resources.compactMap { row in
                value(row).map { .init($0, [.init("resource", row.resource)]) }
            })
    }

    private static func seconds(_ iso: String?) -> Double? {
        iso.flatMap { HumanTime.milliseconds(iso: $0) }.map { Double($0) / 1000 }
    }
}
