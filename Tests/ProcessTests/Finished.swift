import Glibc

/// How a process ended.
enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(signal: Int32)

    init(status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
    }
}

/// A process that has ended, and what it said.
struct Finished: Sendable {
    let ending: Ending
    let output: String
    let errors: String

    /// The exit code; -1 for one that a signal ended.
    var code: Int32 {
        switch ending {
        case .exited(let code): code
        case .killed: -1
        }
    }
}
