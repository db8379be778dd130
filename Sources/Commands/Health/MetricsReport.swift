internal import Declarations
internal import Host
internal import Rendering
internal import SQLite
internal import Store
internal import Text

/// What `metrics` tells: the cache's state in numbers.
struct MetricsReport: Sendable, Hashable {
    let metrics: CacheMetrics
    /// The lists that are kept.
    let lists: [StatusRow]
    let isDaemonRunning: Bool

    /// Every state that a list can be in, so that each has its sample and none comes and goes.
    private static let states: [SyncState] = [
        .ok, .offline, .failing, .needsCredentials, .misconfigured, .untrusted, .held, .waiting,
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
                                .init("schema", "\(metrics.schemaVersion)"),
                            ])
                    ]),
                .init(
                    "syncd_daemon_running", "1 while a daemon keeps this cache, else 0.",
                    [.init(isDaemonRunning ? 1 : 0)]),
            ] + listFamilies + queueFamilies + [
                .init(
                    "syncd_database_size_bytes", "The size of the cache's main file.",
                    [.init(Double(metrics.databaseBytes))]),
                .init(
                    "syncd_wal_size_bytes", "The size of the cache's write-ahead log.",
                    [.init(Double(metrics.walBytes))]),
            ])
    }

    private var queueFamilies: [PrometheusText.Family] {
        [
            .init(
                "syncd_todos", "Todos in each state that the table shows.",
                metrics.todos.sorted { $0.key < $1.key }.map {
                    .init(Double($0.value), [.init("state", $0.key)])
                }),
            .init(
                "syncd_outbox_operations", "Operations that the server has not acknowledged.",
                queue("create", metrics.creates) + queue("update", metrics.updates)
                    + queue("delete", metrics.deletes)),
            .init(
                "syncd_outbox_oldest_timestamp_seconds",
                "When the oldest operation that is not rejected was queued.",
                metrics.oldestQueued.map { [.init(Double($0.milliseconds) / 1000)] } ?? []),
            .init(
                "syncd_outbox_lasting_doubts",
                "Operations in doubt for longer than an hour and three pulls.",
                [.init(Double(metrics.lastingDoubts))]),
            .init(
                "syncd_conflicts", "Edits that conflict with the server, and nobody has looked at.",
                [.init(Double(metrics.conflicts))]),
            .init(
                "syncd_held_deletes", "Deletes that wait until a person has accepted them.",
                [.init(Double(metrics.heldDeletes))]),
            .init(
                "syncd_sync_requests", "Requests for a sync that nobody has answered.",
                [.init(Double(metrics.requests))]),
            .init(
                "syncd_change_revision", "The newest revision of the change log.",
                [.init(Double(metrics.revision))]),
        ]
    }

    private var listFamilies: [PrometheusText.Family] {
        [
            .init(
                "syncd_list_state", "1 for the state at the end of the last cycle, else 0.",
                lists.flatMap { row in
                    Self.states.map { state in
                        .init(
                            row.state == state.rawValue ? 1 : 0,
                            [.init("list", row.list), .init("state", state.rawValue)])
                    }
                }),
            family("syncd_list_rows", "Rows that the table of that name shows.") {
                $0.rows.map(Double.init)
            },
            family("syncd_list_failures", "Cycles in a row that failed.") {
                Double($0.failures)
            },
            family("syncd_list_complete", "1 if the last pull held every row, else 0.") {
                $0.complete.map { $0 ? 1 : 0 }
            },
            family("syncd_list_skipped_rows", "Rows of the last list that could not be taken.") {
                Double($0.skipped)
            },
            family("syncd_list_waiting_changes", "Changes that wait to be sent or decided.") {
                Double($0.changes.waiting)
            },
            family(
                "syncd_list_stuck_changes",
                "Changes that were tried three times, or have waited for an hour."
            ) { Double($0.changes.stuck) },
            family("syncd_last_attempt_timestamp_seconds", "When the last cycle began.") {
                Self.seconds($0.lastAttemptAt)
            },
            family(
                "syncd_last_success_timestamp_seconds",
                "When the last successful cycle began."
            ) { Self.seconds($0.lastSuccessAt) },
            family("syncd_next_due_timestamp_seconds", "When the next cycle is due.") {
                Self.seconds($0.nextDueAt)
            },
            family("syncd_last_cycle_duration_seconds", "How long the last cycle took.") {
                $0.durationMilliseconds.map { Double($0) / 1000 }
            },
        ]
    }

    private func queue(_ operation: String, _ counts: QueueCounts) -> [PrometheusText.Sample] {
        [
            ("queued", counts.queued), ("sending", counts.sending), ("in doubt", counts.inDoubt),
            ("acknowledged", counts.acknowledged), ("rejected", counts.rejected),
        ].map { state, count in
            .init(Double(count), [.init("op", operation), .init("state", state)])
        }
    }

    /// One sample for each list of which the number is known.
    private func family(
        _ name: String, _ help: String, _ value: (StatusRow) -> Double?
    ) -> PrometheusText.Family {
        .init(
            name, help,
            lists.compactMap { row in
                value(row).map { .init($0, [.init("list", row.list)]) }
            })
    }

    private static func seconds(_ iso: String?) -> Double? {
        iso.flatMap { HumanTime.milliseconds(iso: $0) }.map { Double($0) / 1000 }
    }
}
