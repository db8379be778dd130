import Daemon
import Declarations
import Store

extension World {
    /// What a look for the writes of others can bring.
    enum Sight: Hashable, CaseIterable {
        case nothing, nobodyWriting, somebodyWriting, request, todo, todoAndWriter

        /// Whether somebody has committed.
        var isCommit: Bool {
            switch self {
            case .nothing, .nobodyWriting, .somebodyWriting: false
            case .request, .todo, .todoAndWriter: true
            }
        }

        /// Whether that was a todo.
        var hasTodo: Bool { self == .todo || self == .todoAndWriter }

        /// What the store says of it.
        func sign(for question: WriteQuestion, version: Int64, unsent: Bool) -> WriteSign {
            let isActive: Bool? =
                switch self {
                // Who is asked has to answer.
                case .nothing: question.asksForWriter ? false : nil
                case .nobodyWriting, .request, .todo: false
                case .somebodyWriting, .todoAndWriter: true
                }
            let isNews = question.asksForWork || question.mark?.version != version
            let work = WaitingWork(hasRequests: self == .request, sendable: unsent ? [.todos] : [])
            return WriteSign(
                mark: WriteMark(version: version, ownCommits: 0), isWriterActive: isActive,
                work: isNews ? work : nil)
        }
    }
}
