import SQLite
import TestSupport

/// The laws of the cache, which hold after every commit. They are many and long statements, a
/// third of a run's time: every fourth seed pays for them.
struct SimulatedInvariants {
    private let isOn: Bool

    init(seed: UInt64) { isOn = seed % 4 == 0 }

    func violations(in connection: Connection) throws(SQLiteError) -> [String] {
        isOn ? try StoreInvariants.violations(in: connection) : []
    }
}
