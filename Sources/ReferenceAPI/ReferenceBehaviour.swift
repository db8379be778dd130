/// In which of the allowed ways the server behaves; the defaults are those of the real services.
public struct ReferenceBehaviour: Sendable, Hashable {
    /// How users and todos are numbered; fixed for the life of a state, integers and texts do not
    /// mix in a table.
    public enum IDs: Sendable, Hashable {
        /// One more than the highest number in the table: after the newest row was deleted, the
        /// next one gets its id again.
        case reusedIntegers
        /// Integers, none given twice.
        case freshIntegers
        /// Texts in the form of a UUID, none given twice.
        case texts
    }

    /// The order of the list of todos.
    public enum ListOrder: Sendable, Hashable {
        case oldestFirst
        /// Another order at each answer, decided by the seed.
        case shuffled
    }

    /// What a DELETE that did something answers.
    public enum DeleteAnswer: Sendable, Hashable {
        /// 200 without a body.
        case empty
        /// 204.
        case noContent
        /// 200 with the todo that was.
        case todo
    }

    /// Decides tokens, texts used as ids and shuffled orders.
    public var seed: UInt64 = 1
    /// How new rows are numbered.
    public var ids = IDs.reusedIntegers
    /// In which order a list is answered.
    public var listOrder = ListOrder.oldestFirst
    /// The success of a DELETE.
    public var deleteAnswer = DeleteAnswer.empty
    /// What becomes of a title on its way into the table.
    public var altersTitles = TitleAlteration.none
    /// A longer title is refused with 400; `nil`: none is too long.
    public var maxTitleCharacters: Int?
    /// Whether a create that repeats the `Idempotency-Key` of an earlier one gets its answer.
    public var honoursIdempotencyKeys = false
    /// Whether lists and movie pages carry a weak `ETag`.
    public var entityTags = false
    /// From the login on; the real service's tokens live for five hours.
    public var tokenLifetimeSeconds: Int64 = 5 * 3600
    /// The one credential of the movies, as Bearer token or as `api_key`.
    public var moviesToken = "demo"
    /// A larger request body is refused with 413.
    public var maxBodyBytes = 1 << 20

    /// The behaviour of the real services.
    public init() {}
}
