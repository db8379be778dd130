public import APIClient

/// A way in which a server of todos and lists says something else than what it did.
public enum Untruth: String, Sendable, Hashable, CaseIterable {
    /// A create is answered as one that made a row, and makes none.
    case ignoresCreate = "ignore-create"
    /// One member of a create is left out, but never the first one.
    case ignoresCreateField = "ignore-create-field"
    /// An update is answered with the row, which is as it was.
    case ignoresUpdate = "ignore-update"
    /// One member of an update is left out.
    case ignoresUpdateField = "ignore-update-field"
    /// A delete succeeds, and the row stays.
    case ignoresDelete = "ignore-delete"
    /// The answer to a write has some of the row's members.
    case answersPart = "answer-part"
    /// It has the row as it was before; of a delete the row that is gone.
    case answersOldRow = "answer-old"
    /// It has another row of the list.
    case answersOtherRow = "answer-other"
    /// It has the id alone.
    case answersID = "answer-id"
    /// It has nothing.
    case answersNothing = "answer-none"
    /// It has what was sent, and an id.
    case answersClaim = "answer-claim"
    /// A write is answered `{"ok": false}` with 200, and nothing is done.
    case refuses = "ok-false"
    /// The same, and it is done.
    case refusesInVain = "ok-false-effect"
    /// A write is answered 202, and done some seconds later.
    case isLater = "async"
    /// A list is answered as it was up to some seconds ago; each answer draws its own time.
    case listsLag = "lag"
    /// A list is kept for some seconds, and `Age` tells how old it is.
    case cache = "age"
    /// The same without `Age`.
    case silentCache = "age-untold"

    /// Whether it can happen to `request`.
    public func concerns(_ request: HTTPRequest) -> Bool {
        guard let place = ListPlace(request) else { return false }
        return switch self {
        case .ignoresCreate, .ignoresCreateField: request.method == .post
        case .ignoresUpdate, .ignoresUpdateField:
            request.method == .patch || request.method == .put
        case .ignoresDelete: request.method == .delete
        case .answersPart, .answersID, .answersNothing, .answersClaim, .refuses, .refusesInVain,
            .isLater:
            request.method.isWrite
        case .answersOldRow, .answersOtherRow: request.method.isWrite
        case .listsLag, .cache, .silentCache: request.method == .get && place.id == nil
        }
    }
}
