import SyncEngine

/// What one cycle of a device has met so far.
struct CycleRun {
    struct Acknowledgement {
        let todo: Int64
        let serverID: String
        let row: Int
        /// When the answer came.
        let moment: Int64
    }

    let step: Step
    let isOfMovies: Bool
    let beganAt: Int64
    var requests = 0
    var moments = 0
    var hasAskedForList = false
    /// The pages of the list that have come, until the last one.
    var pull: ListPage?
    /// The list that was answered, by id: the row's number.
    var snapshot: [String: Int]?
    /// The list did not hold every row.
    var isSpoiled = false
    /// When the first page of that list came, and the last one.
    var listCameAt: Int64?
    var listEndedAt: Int64?
    /// Its header told of more rows than it has.
    var isPage = false
    /// All rows of that list.
    var listedRows = 0
    /// The list is valid, and not what the server had.
    var isWrong = false
    /// Creates whose whole answer was delivered, in order.
    var acknowledged: [Acknowledgement] = []
    /// Creates whose answer named a row by its id alone.
    var named: [Acknowledgement] = []
    /// Todos whose create was answered with yes.
    var created: Set<Int64> = []
    /// Ids whose DELETE was answered with done.
    var deleted: Set<String> = []
    /// Those of them that the server said yes to.
    var gone: Set<String> = []
    var sendings = 0
    /// Those of them that are no creates sent while pages of the list came.
    var sendingsByList = 0
    var logins = 0
    /// A script wrote meanwhile.
    var hasScriptWrites = false
    var hasMend = false
    /// What a reader saw of the movies, in order, without repeats.
    var moviesSeen: [String] = []

    /// Those whose row syncd has taken by its id are acknowledged.
    mutating func takeNamed(in image: CacheImage) {
        acknowledged += named.filter { image.todos[$0.todo]?.serverID == $0.serverID }
    }
}
