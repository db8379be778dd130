/// What is known of a device from outside its syncd: what its scripts did, and what came over the
/// wire. The laws are checked against these.
struct DeviceBooks {
    struct Deletion {
        let at: Int64
        /// The server's row that the todo stood for; nil where it had none yet.
        let row: Int?
    }

    enum Hold {
        case none
        /// Since when, and the local ids that were missing.
        case held(since: Int64, todos: Set<Int64>)
        /// A cycle ended in a way that does not tell.
        case unknown
    }

    /// Todos that scripts added, by local id.
    var added: [Int64: String] = [:]
    var deleted: [Int64: Deletion] = [:]
    /// Todos whose create a script dropped.
    var dropped: Set<Int64> = []
    /// The key of each create, until a script retries it.
    var keys: [Int64: String] = [:]
    /// Todos whose create was answered with yes, until a script retries it.
    var created: Set<Int64> = []
    /// When a create, by the id of its row, and a delete were answered with yes, and which row that was.
    var made: [String: (at: Int64, row: Int, todo: Int64)] = [:]
    var gone: [String: (at: Int64, row: Int)] = [:]
    /// When a create was sent last without an answer that tells.
    var doubtfulAt: [Int64: Int64] = [:]
    /// When the last list that was delivered whole was asked for.
    var listBeganAt: Int64 = -1
    /// The newest row known for an id, from a list or an answer.
    var latest: [String: Int] = [:]
    /// Rows of pulls that were taken, and of answers.
    var seen: Set<Int> = []
    /// For a todo of ours that stands for a row it did not make: that row.
    var adopted: [Int64: Int] = [:]
    var hold = Hold.none
    /// When the first wrong list came since the last whole one that was taken.
    var wrongSince: Int64?
    /// Since when the whole lists that were taken have not shown a row, by its id.
    var missedSince: [String: Int64] = [:]
    /// When rows were acknowledged that no list has shown since, by id.
    var unseen: [String: Int64] = [:]
    /// The same, but for lists of cycles that did not end: nobody knows what they have noted.
    var surelyMissedSince: [String: Int64] = [:]
    /// When creates were answered with yes, by todo.
    var answeredAt: [Int64: Int64] = [:]
    /// When creates were acknowledged, by id, until a list that decides has shown the row.
    var madeAt: [String: Int64] = [:]
    /// The ids that a list has shown a minute after the answer, in a cycle that did not end: nobody outside knows whether it
    /// has decided.
    var mayBeDecided: Set<String> = []
    /// When deletes were acknowledged, by id.
    var deletedAt: [String: Int64] = [:]
}

extension DeviceBooks {
    /// Answers of another boot count from the beginning of this one, at `moment`.
    mutating func countAnswersFrom(_ moment: Int64) {
        madeAt = madeAt.mapValues { _ in moment }
        answeredAt = answeredAt.mapValues { _ in moment }
        deletedAt = deletedAt.mapValues { _ in moment }
    }
}
