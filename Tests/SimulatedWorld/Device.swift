import APIClient
import APIClientTesting
import CFaultVFS
import Declarations
import Host
import Migrations
import SQLite
import Store
import SyncEngine
import Tables
import TestSupport

/// One machine of the person: a cache, the scripts that write to it, and a syncd.
final class Device {
    let number: Int
    unowned let world: World
    let clock: DeviceClock
    private let path: String
    /// The connection of the scripts; nil only while it is opened again.
    private(set) var scripts: Connection?
    private(set) var store: CacheStore?
    /// The list that the world has in place of the todos.
    private let table: ListTable?
    private let tokens = MemoryTokenStore()
    /// The list that programs write to; its client keeps the token.
    private var source: ListSource?
    /// What the person and the wire have told about this device.
    var books = DeviceBooks()
    /// The cycle that is under way.
    var current: CycleRun?
    /// When a request was refused because there were too many, until the next one leaves.
    var throttledAt: Int64?
    /// When a request of this cycle ended last.
    var endedAt: Int64?
    /// The longest time from such a refusal to the next request, and between two requests of a cycle: the pace that the
    /// server has asked for.
    var longestWait: Int64 = 0
    /// When the next cycle is due, as the last one left it, in the time of the run.
    private(set) var dueAt: Int64 = 0

    init(number: Int, world: World, disk: Disk) throws {
        self.number = number
        self.world = world
        clock = DeviceClock(world.clock, name: "boot-\(number)")
        path = try disk.makeCache(number)
        table = try world.plan.setting.list.map { ListTable(try $0.declaration()) }
        try openScripts()
        try openStore()
    }

    private var syncdOwner: Int32 { Int32(2 * number) }
    var scriptOwner: Int32 { Int32(2 * number + 1) }
    var isDead: Bool { fault_vfs_is_dead(syncdOwner) != 0 }

    func note(_ line: @autoclosure () -> String) { world.note("d\(number): \(line())") }

    func blame(_ law: @autoclosure () -> String) { world.blame("d\(number): \(law())") }

    private func openScripts() throws {
        fault_vfs_as_script(1)
        defer { fault_vfs_as_script(0) }
        let connection = try Connection(.file(path), access: .readWrite, busyTimeout: .seconds(1))
        connection.keepWALOnClose()
        // The WAL is opened by the first read, which has to happen as a script's.
        _ = try connection.count("SELECT count(*) FROM sqlite_schema")
        scripts = connection
    }

    private func openStore() throws {
        let store = try CacheStore(
            .file(path), migrations: Migration.all, maxBodyBytes: 1 << 20,
            executor: world.executor, patience: .seconds(2), now: clock.wallTime(),
            whileMigrating: {})
        // A run has one serial executor, that of the store.
        if let table { try store.assumeIsolated { try $0.bring(to: [table]) } }
        self.store = store
    }

    /// Whether a delete of the row waits or is on its way.
    func isDeleting(_ serverID: String) -> Bool {
        !read(
            """
            SELECT 1 FROM operation JOIN \(rows) ON todo.id = row_id
            WHERE kind = 'delete' AND server_id = ?
            """, .text(serverID)
        ) { _ in true }.isEmpty
    }

    /// Reads the cache as a script does.
    func read<Row>(_ sql: String, _ values: Value..., row: (Statement) -> Row) -> [Row] {
        var rows: [Row] = []
        do {
            try scripts?.each(sql, values) { rows.append(row($0)) }
        } catch {
            blame("a reader met \(error)")
        }
        return rows
    }

    /// Lets a process that died start again, and nothing be wrong with the disk any more. Now and
    /// then no other program has the file open meanwhile, so that the WAL is read anew.
    func recover(_ random: SeededRandom) {
        guard isDead else { return fault_vfs_calm(syncdOwner) }
        store = nil
        source = nil
        let isAlone = random.happens(50)
        if isAlone { scripts = nil }
        fault_vfs_calm(syncdOwner)
        do {
            try openStore()
            if isAlone { try openScripts() }
        } catch {
            blame("P1: the cache does not open after a crash: \(error)")
        }
        dueAt = world.clock.now
        note("restart")
    }

    func reboot() {
        world.settleLate(of: number)
        store = nil
        source = nil
        books.countAnswersFrom(world.clock.now)
        clock.reboot()
        do { try openStore() } catch {
            blame("P1: the cache does not open after a reboot: \(error)")
        }
        dueAt = world.clock.now
        note("reboot")
    }

    /// syncd dies now: nothing that it writes or sends happens any more.
    func die() { fault_vfs_kill(syncdOwner) }

    func armDeath(atWrite write: Int) { fault_vfs_arm_death(syncdOwner, write) }

    func armFullDisk(atWrite write: Int, writes: Int) {
        fault_vfs_arm_full_disk(syncdOwner, write, writes)
    }

    var hasMetFullDisk: Bool { fault_vfs_full_writes(syncdOwner) > 0 }

    func noteDue(_ due: BootTime) { dueAt = clock.worldTime(of: due) ?? world.clock.now }

    func retryAtOnce() { dueAt = world.clock.now + 1000 }

    func waitUntilDue() {
        let wait = dueAt - world.clock.now
        guard wait > 0 else { return }
        world.clock.advance(by: wait)
        note("\(wait) ms pass until the next cycle is due")
    }

    /// The real engine over this device's network; nil where the cache could not be opened.
    func synchronizer(seed: UInt64) throws -> Synchronizer? {
        guard let store else { return nil }
        let network = DeviceNetwork(world: world, device: number)
        let limits = RequestLimits(
            timeout: .milliseconds(Setting.timeoutMilliseconds), maxBodyBytes: 1 << 20)
        let source = try self.source ?? source(limits: limits, over: network)
        self.source = source
        let movies = ListSource.movies(
            at: try BaseURL("http://127.0.0.1:8080/3"), limits: limits, userAgent: "simulation",
            over: network, interval: .milliseconds(Setting.moviesIntervalMilliseconds))
        return Synchronizer(
            store: store, lists: [movies, source], time: clock,
            random: SeededRandom(seed: seed), backoff: .standard, stop: StopSignal(),
            tell: { _ in })
    }

    private func source(
        limits: RequestLimits, over network: DeviceNetwork
    ) throws -> ListSource {
        let setting = world.plan.setting
        let baseURL = try BaseURL("http://127.0.0.1:8080")
        let account = Account(baseURL: baseURL.description, email: Setting.email)
        let timeout = Duration.milliseconds(Setting.timeoutMilliseconds)
        if let list = setting.list, let table {
            return ListSource(
                table: table,
                client: list.client(at: baseURL, limits: limits, tokens: tokens, over: network),
                lanes: ServerLanes(most: setting.concurrency),
                writing: .init(account: account, timeout: timeout))
        }
        let client = TodosClient(
            baseURL: baseURL, limits: limits, userAgent: "simulation", transport: network)
        return .todos(
            session: TodosSession(
                client: client, email: Setting.email, password: Setting.password, tokens: tokens),
            account: account, interval: .milliseconds(Setting.intervalMilliseconds),
            concurrency: setting.concurrency, honoursIdempotencyKeys: setting.usesKeys,
            timeout: timeout)
    }
}

/// Where scripts find the rows.
extension Device {
    private var list: DrawnList? { world.plan.setting.list }
    var listName: ListName { list == nil ? .todos : DrawnList.name }
    /// Every row, shown or hidden, as `todo`.
    var rows: String { list?.rows ?? EveryTodo.rows }
    /// What a script sees, with the names of the todos' columns.
    var shown: String { list?.shown ?? "todos" }
    var idColumn: String { list == nil ? "id" : "_id" }
}

@available(*, unavailable) extension Device: Sendable {}
