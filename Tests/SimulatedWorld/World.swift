import APIClient
import CFaultVFS
internal import Declarations
import Foundation
package import Host
import ReferenceAPI
import TestSupport

/// One run: the server, another client, the devices of one person, and the time that all share.
///
/// Real are the engine and the store with its file; the reference server, the network, the disk's
/// faults, the clocks and chance come from the plan alone, so that a plan repeats its run.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
package final class World: @unchecked Sendable {
    package let plan: Plan
    let clock = WorldClock()
    let executor: QueueExecutor
    var server: ReferenceServer
    var ledger = RowLedger()
    private(set) var devices: [Device] = []
    /// Requests that take effect later.
    var late: [LateRequest] = []
    /// The operator changed the password: no token and no login is good.
    var isLockedOut = false
    var moviesVersion: UInt64 = 1
    /// Broken laws, in the order they were found.
    private(set) var problems: [String] = []
    /// What happened, one line each, where it is asked for.
    private(set) var trace: [String] = []
    private let isTracing: Bool
    /// The marks that tables made, in the order of their creates: they are drawn by SQLite, not by the seed.
    private var marks: [String] = []

    struct LateRequest {
        let request: HTTPRequest
        let device: Int
        let actor: RowLedger.Actor
        let at: Int64
    }

    /// The world of `plan`, before its first step.
    package init(_ plan: Plan, disk: Disk, executor: QueueExecutor, traces: Bool) throws {
        self.plan = plan
        self.executor = executor
        isTracing = traces
        server = ReferenceServer(
            state: ReferenceState(), behaviour: plan.setting.behaviour,
            movies: .generated(
                count: plan.setting.movies, seed: 1, overlap: false, dates: true))
        signUp()
        for number in 0..<plan.setting.firstRows {
            addRow(plan.setting.title("first-\(number)", UInt64(number)))
        }
        for device in 0..<plan.setting.devices {
            devices.append(try Device(number: device, world: self, disk: disk))
        }
    }

    /// The list as it was before the last change, and its rows.
    private(set) var listBeforeLastChange: (body: [UInt8], rows: [String: Int])?

    private func rememberList() {
        let rows = server.state.todos(email: Setting.email)
        let list = rows.map { row in
            let id = Int64(row.id.description) == nil ? "\"\(row.id)\"" : row.id.description
            return #"{"id":\#(id),"title":\#(Self.quoted(row.title))}"#
        }
        listBeforeLastChange = (Array("[\(list.joined(separator: ","))]".utf8), ledger.current)
    }

    static func quoted(_ title: String) -> String {
        let bytes = try? JSONEncoder().encode(title)
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    func signUp() {
        server.addUser(name: "Demo", email: Setting.email, password: Setting.password)
    }

    func note(_ line: @autoclosure () -> String) {
        if isTracing { trace.append("\(clock.now) \(named(line()))") }
    }

    /// From now on a mark is told by its place, so that the same seed tells the same.
    func remember(mark: String) {
        marks.append(mark)
    }

    private func named(_ line: String) -> String {
        marks.enumerated().reduce(line) { line, mark in
            line.replacingOccurrences(of: mark.element, with: "mark-\(mark.offset + 1)")
        }
    }

    func blame(_ law: @autoclosure () -> String) {
        guard problems.count < 20 else { return }
        problems.append(named(law()))
        note("BROKEN: \(problems[problems.count - 1])")
    }

    /// Answers a request, after those whose time has come.
    func answer(_ request: HTTPRequest, actor: RowLedger.Actor) -> HTTPResponse {
        applyLate()
        return apply(request, actor: actor)
    }

    private func apply(_ request: HTTPRequest, actor: RowLedger.Actor) -> HTTPResponse {
        if isLockedOut, !request.target.hasPrefix("/3/") {
            return ReferenceServer.refusal(401, "Unauthorized")
        }
        if request.method.isWrite { rememberList() }
        let answer = server.answer(
            request, at: clock.seconds, milliseconds: clock.now % 1000)
        ledger.note(server.lastChanges, by: actor, at: clock.now)
        return answer
    }

    /// Lets those requests take effect whose time has come, in the order of their times.
    func applyLate() {
        guard !late.isEmpty else { return }
        let due = late.filter { $0.at <= clock.now }.sorted { $0.at < $1.at }
        late.removeAll { $0.at <= clock.now }
        for request in due { applyNow(request) }
    }

    /// A reboot of `device` comes after everything that it sent.
    func settleLate(of device: Int) {
        let due = late.filter { $0.device == device }.sorted { $0.at < $1.at }
        late.removeAll { $0.device == device }
        for request in due { applyNow(request) }
    }

    private func applyNow(_ late: LateRequest) {
        let answer = apply(late.request, actor: late.actor)
        note(
            "late: \(late.request.method.rawValue) \(late.request.target) of device "
                + "\(late.device): \(answer.status)")
    }
}

/// The titles that somebody chooses when they shall be equal to others: by folding, some.
let equalTitles = ["milk", "milk", " milk ", "Brot\u{301}"]

extension World {
    @discardableResult
    private func addRow(_ title: String) -> String? {
        applyLate()
        let id = server.addTodo(owner: Setting.email, title: title)
        ledger.note(server.lastChanges, by: .otherClient, at: clock.now)
        return id?.description
    }

    func otherClient(_ act: OtherAct, seed: UInt64) {
        let random = SeededRandom(seed: seed)
        switch act {
        case .addFresh: addNoted("other-\(seed % 100_000)", seed)
        case .addEqual: addNoted(equalTitles[random.index(equalTitles.count)], seed)
        case .remove:
            if let row = random.element(of: removableRows) { removeNoted(row) }
        case .removeMost:
            for row in removableRows where random.happens(80) { removeNoted(row) }
        }
    }

    /// Without the rows whose DELETE is on its way from a device: where ids are given away again, it
    /// could hit another row by then, which is a residue.
    private var removableRows: [ReferenceState.Todo] {
        rowsAtServer.filter { row in
            !devices.contains { $0.current != nil && $0.isDeleting(row.id.description) }
        }
    }

    private func addNoted(_ text: String, _ seed: UInt64) {
        let title = plan.setting.title(text, seed)
        let id = addRow(title)
        note("other client adds \(title) as \(id ?? "nothing")")
    }

    private func removeNoted(_ row: ReferenceState.Todo) {
        server.removeTodo(row.id)
        ledger.note(server.lastChanges, by: .otherClient, at: clock.now)
        note("other client removes \(row.id) \(row.title)")
    }

    var rowsAtServer: [ReferenceState.Todo] {
        applyLate()
        return server.state.todos(email: Setting.email)
    }

    func amnesia() {
        applyLate()
        server.forgetEverything()
        ledger.note(server.lastChanges, by: .amnesia, at: clock.now)
        signUp()
        note("the server forgets everything")
    }

    func changeMovies() {
        moviesVersion += 1
        let count = plan.setting.movies + Int(moviesVersion * 7 % 30) - 10
        server.movies = .generated(
            count: max(1, count), seed: moviesVersion, overlap: false, dates: true)
        note("the list of movies changes to \(max(1, count)) rows")
    }
}
