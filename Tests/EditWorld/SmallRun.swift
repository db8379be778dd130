import APIClient
import Declarations
import Host
import SQLite
import Store
import SyncEngine
import Tables
import TestSupport
import Text

/// What runs of small worlds have in common: a clock, a process that can die, a network that can be unkind, and a cache.
/// A subclass has the server, and what programs and other clients do.
///
/// One serial executor runs all of it.
class SmallRun {
    static let timeout: Int64 = 10_000

    /// The network and the process are unkind in so many of a hundred requests.
    let madness: Int
    let cache: RestartableCache
    let isTraced: Bool
    private(set) var now: Int64 = 3_600_000
    private(set) var boots = 1
    private(set) var bootedAt: Int64 = 0
    /// What reaches the server when this moment has come, or before that.
    var late: [(request: HTTPRequest, until: Int64)] = []
    /// What is drawn in the step that is under way; nil while everything works.
    private(set) var unkindness: SeededRandom?
    private(set) var isDead = false
    private(set) var lives = 0
    var requests = 0
    private var looks = 0
    private var dyingLook: Int?
    private(set) var problems: [String] = []
    private(set) var trace: [String] = []

    init(madness: Int, cache: RestartableCache, isTraced: Bool) {
        (self.madness, self.cache, self.isTraced) = (madness, cache, isTraced)
    }

    /// Another client changes something.
    func others(_ random: SeededRandom) {}

    /// The server does what it is asked; syncd hears its answer, or does not.
    func apply(_ request: HTTPRequest, isHeard: Bool, isLate: Bool) -> HTTPResponse {
        HTTPResponse(status: 404)
    }

    func note(_ line: @autoclosure () -> String) {
        if isTraced { trace.append("\(now - 3_600_000): \(line())") }
    }

    func blame(_ law: String) {
        problems.append(law)
        note("!! \(law)")
    }

    // MARK: Time

    func pass(_ milliseconds: Int64) {
        let next = now + milliseconds
        while let index = late.firstIndex(where: { $0.until <= next }) {
            let request = late.remove(at: index)
            now = max(now, request.until)
            arrive(request.request)
        }
        now = next
    }

    /// One of the requests that are late reaches the server.
    func letArrive(_ random: SeededRandom) {
        guard !late.isEmpty else { return }
        arrive(late.remove(at: random.index(late.count)).request)
    }

    private func arrive(_ request: HTTPRequest) {
        note("late:")
        _ = apply(request, isHeard: true, isLate: true)
    }

    /// syncd looks at the clock: the moment before a commit, or after one.
    func look() {
        looks += 1
        if looks == dyingLook { die() }
    }

    func die() {
        guard !isDead, let isOver = try? cache.die(), isOver else { return }
        isDead = true
        note("syncd dies")
    }

    // MARK: syncd

    /// One cycle of a list. A process that has died begins anew after it.
    func cycle(
        of name: String, because cause: CycleCause, _ random: SeededRandom, isUnkind: Bool
    ) async {
        unkindness = isUnkind ? random : nil
        dyingLook = isUnkind && random.happens(madness / 4) ? 1 + random.index(14) : nil
        (requests, looks) = (0, 0)
        note("cycle of \(name), \(cause)")
        do {
            let report = try await synchronizer(random).cycle(ListName(kept: name), because: cause)
            note("\(report.state) \(report.error ?? "")")
        } catch {
            note("the cycle ends: \(error)")
            blame("CYCLE: a cycle fails: \(error)")
        }
        unkindness = nil
        dyingLook = nil
        guard isDead else { return }
        isDead = false
        lives += 1
        if random.happens(40) {
            boots += 1
            bootedAt = now
        }
        note("restart, boot \(boots)")
        do { try cache.reopen() } catch { blame("REOPEN: \(error)") }
    }

    private func synchronizer(_ random: SeededRandom) throws -> Synchronizer {
        let timeout = Duration.milliseconds(Self.timeout)
        let sources = try cache.tables.map { table in
            ListSource(
                table: table,
                client: ListClient(
                    baseURL: try BaseURL("http://127.0.0.1:8080"), credential: .none, fields: [],
                    limits: RequestLimits(timeout: timeout, maxBodyBytes: 1 << 20), userAgent: "",
                    transport: SmallNetwork(self), secrets: Secrets()),
                lanes: ServerLanes(most: 1),
                writing: .init(
                    account: Account(baseURL: "http://127.0.0.1:8080", email: "one"),
                    timeout: timeout))
        }
        return Synchronizer(
            store: cache.store, lists: sources, time: SmallClock(self), random: random,
            backoff: .standard, stop: StopSignal(), tell: { _ in })
    }

    // MARK: The cache

    /// The rows of a query, its columns joined; nil as `-`.
    func rows(_ sql: String) -> [String] {
        do {
            return try cache.with { connection in
                try connection.all(sql) { row in
                    (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }.joined(separator: "|")
                }
            }
        } catch {
            blame("SQL: \(sql): \(error)")
            return []
        }
    }
}
