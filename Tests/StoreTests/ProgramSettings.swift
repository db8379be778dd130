import Testing

let python = "/usr/bin/python3"

/// Settings that another program may have made for its connection.
struct ProgramSettings: Sendable, CustomTestStringConvertible {
    let foreignKeys: Bool
    let recursiveTriggers: Bool
    let trustedSchema: Bool

    var pragmas: String {
        """
        PRAGMA foreign_keys = \(foreignKeys); PRAGMA recursive_triggers = \(recursiveTriggers);
        PRAGMA trusted_schema = \(trustedSchema);
        """
    }
    var testDescription: String { pragmas }

    static let all = [false, true].flatMap { keys in
        [false, true].flatMap { triggers in
            [false, true].map {
                ProgramSettings(foreignKeys: keys, recursiveTriggers: triggers, trustedSchema: $0)
            }
        }
    }
}
