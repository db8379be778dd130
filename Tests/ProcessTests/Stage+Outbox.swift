import Testing

extension Stage {
    /// A cache with todos whose creates are in these states, numbered from 1; in doubt since another boot.
    static func outbox(_ states: String...) async throws -> Stage {
        let stage = try Stage()
        for number in 1...states.count {
            #expect(try await stage.syncd("todo", "add", "todo \(number)").code == 0)
        }
        for (index, state) in states.enumerated() where state != "queued" {
            let isSent = state != "rejected"
            let made = try await stage.sqlite(
                """
                UPDATE operation SET state = '\(state)', attempts = 1,
                    undecided = '\(state)' = 'in doubt', sent_boot = 'before', sent_ms = 1,
                    first_sent_boot = iif(\(isSent), 'before', NULL),
                    first_sent_ms = iif(\(isSent), 1, NULL), open_pulls = 3, last_error = 'timed out'
                WHERE seq = \(index + 1);
                UPDATE todos SET state = '\(state)', error = 'timed out' WHERE id = \(index + 1);
                """)
            #expect(made.code == 0, "\(made.errors)")
        }
        return stage
    }
}
