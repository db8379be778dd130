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
    public enum DeleteAnswer: String, Sendable, Hashable, CaseIterable {
        /// 200 without a body.
        case empty
        /// 204.
        case noContent = "no-content"
        /// 200 with the todo that was.
        case todo
        /// 200 with `{"ok": true}`.
        case confirmation
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
    /// The list comes in pages; `nil`: whole.
    public var pages: Pages?
    /// One row stands twice in each list; `nil`: none.
    public var doubledRow: DoubledRow?
    /// Lists are behind the writes; `nil`: they are not.
    public var lag: Lag?
    /// Under which name a row has its id.
    public var idName = "id"
    /// The status, 307 or 308, with which a path of todos is answered that does not end in `/`, as
    /// some frameworks do: `Location` names it with one, and only that path is served. `nil`: the
    /// paths of todos do not end so.
    public var slashRedirect: Int?
    /// How many requests the todo service takes; `nil`: all.
    public var rateLimit: RateLimit?
    /// Whether a create that repeats the `Idempotency-Key` of an earlier one gets its answer.
    public var honoursIdempotencyKeys = false
    /// Whether lists of any rows are only for those who have logged in.
    public var listsNeedLogin = false
    /// Whether lists and movie pages carry a weak `ETag`.
    public var entityTags = false
    /// Whether an answer that says "unchanged" has the `Link` of the page, too.
    public var linksWhenUnchanged = false
    /// From the login on; the real service's tokens live for five hours.
    public var tokenLifetimeSeconds: Int64 = 5 * 3600
    /// The one credential of the movies, as Bearer token or as `api_key`.
    public var moviesToken = "demo"
    /// A larger request body is refused with 413.
    public var maxBodyBytes = 1 << 20

    /// The behaviour of the real services.
    public init() {}
}
