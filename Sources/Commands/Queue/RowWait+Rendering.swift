internal import Rules

extension RowWait {
    /// What is waited for, and what to do where waiting does not help.
    var sentence: String {
        if let lacks {
            return "\(lacks) of its row in \(list), which no list or answer has shown yet"
        }
        if isCircle {
            return
                "operation \(operation) of \(list), which waits for this one: set one of the references to NULL, "
                + "and again when the rows are at the server"
        }
        let known = "operation \(operation), the \(kind.rawValue) of its row in \(list)"
        return switch state {
        case .rejected: "\(known), which was refused: `syncd outbox` shows why"
        case .inDoubt: "\(known), whose doubt the next lists decide"
        case .queued, .sending, .acknowledged: known
        }
    }
}
