import APIClient
import CommandLine
import Commands
import Configuration
import Declarations
import Host
import Migrations
import SQLite
import Store
import SyncEngine
import Testing

@Suite struct OutcomeTests {
    private func store() throws -> CacheStore {
        try CacheStore(
            .memory, migrations: Migration.all, maxBodyBytes: 1 << 20,
            executor: QueueExecutor(label: "test"), patience: .seconds(2),
            now: WallTime(milliseconds: 0),
            whileMigrating: {})
    }

    private func record(
        _ list: ListName, _ state: SyncState, notice: String? = nil
    ) -> CycleRecord {
        CycleRecord(
            list: list, state: state, attemptedAt: WallTime(milliseconds: 0),
            pull: notice.map { _ in
                PullFacts(
                    began: BootTime(boot: "b", milliseconds: 0), rows: 5, complete: false)
            },
            failures: 1, error: state == .ok ? notice : "it is so",
            due: BootTime(boot: "b", milliseconds: 0), dueShown: WallTime(milliseconds: 0),
            dueAskedUntil: nil, durationMilliseconds: 1)
    }

    @Test(arguments: [
        (SyncState.ok, ExitCode.ok), (.offline, .unavailable), (.failing, .unavailable),
        (.untrusted, .unavailable),
        (.needsCredentials, .credentials), (.misconfigured, .configuration), (.held, .tryLater),
        (.waiting, .tryLater),
    ]) func `the state of a list decides how a sync ends`(
        state: SyncState, status: ExitCode
    ) async throws {
        let store = try store()
        try await store.record(record(.todos, state))
        let outcome = try await SyncOutcome.read(
            [.todos], from: store, since: [], reports: [], daemon: 1)
        #expect(outcome.status == status)
        #expect((outcome.lists[0].problem == nil) == (state == .ok))
        #expect((outcome.lists[0].hint == nil) == (state == .ok))
    }

    @Test func `a held pull says how to accept it`() async throws {
        let store = try store()
        try await store.record(record(.todos, .held))
        let outcome = try await SyncOutcome.read(
            [.todos], from: store, since: [], reports: [], daemon: nil)
        let hint = outcome.lists[0].hint
        #expect(hint?.contains("`syncd sync todos --accept-removals`") == true)
    }

    @Test func `D5: a list that is cut is told, and the sync has not succeeded`() async throws {
        let store = try store()
        try await store.record(record(.todos, .ok, notice: "the list is cut"))
        // A cycle without a pull takes nothing back.
        try await store.record(record(.todos, .ok))
        let outcome = try await SyncOutcome.read(
            [.todos], from: store, since: [], reports: [], daemon: 1)
        #expect(outcome.status == .findings)
        #expect(outcome.lists[0].problem == "the list is cut")
        #expect(
            outcome.lists[0].hint
                == "Let the server answer with the whole list, or declare its pages; until then nothing is removed from "
                + "the cache.")
    }

    @Test func `a halted replay decides how a sync ends, though the list is read`() async throws {
        let store = try store()
        var cycle = record(.todos, .ok)
        cycle.halt = ReplayHalt(state: .needsCredentials, error: "refused")
        try await store.record(cycle)
        let outcome = try await SyncOutcome.read(
            [.todos], from: store, since: [], reports: [], daemon: 1)
        #expect(outcome.status == .credentials)
    }

    @Test(arguments: [2, 3]) func `a change that was tried three times makes a sync end with 1`(
        attempts: Int
    ) async throws {
        let store = try store()
        _ = try await store.addTodos(["milk"])
        try await store.record(record(.todos, .ok))
        try await store.withConnection {
            try $0.execute(script: "UPDATE operation SET attempts = \(attempts)")
        }
        let outcome = try await SyncOutcome.read(
            [.todos], from: store, since: [], reports: [], daemon: 1)
        #expect(outcome.status == (attempts < 3 ? .ok : .findings))
    }

    @Test func `what a daemon has sent is counted from the moment it was asked`() async throws {
        let store = try store()
        var cycle = record(.todos, .ok)
        (cycle.replay.sent, cycle.replay.done, cycle.replay.rejected) = (3, 2, 1)
        try await store.record(cycle)
        let before = try await store.status()
        (cycle.replay.sent, cycle.replay.done, cycle.replay.rejected) = (5, 1, 3)
        cycle.replay.inDoubt = 1
        try await store.record(cycle)
        let outcome = try await SyncOutcome.read(
            [.todos], from: store, since: before, reports: [], daemon: 1)
        #expect(outcome.lists.map(\.replay) == [cycle.replay])
    }

    @Test func `of two lists the worse one decides`() async throws {
        let store = try store()
        try await store.record(record(.movies, .needsCredentials))
        try await store.record(record(.todos, .held))
        let both = try await SyncOutcome.read(
            [.movies, .todos], from: store, since: [], reports: [], daemon: nil)
        #expect(both.status == .credentials)
        let one = try await SyncOutcome.read(
            [.todos], from: store, since: [], reports: [], daemon: nil)
        #expect(one.status == .tryLater)
    }

    @Test func `only success is success`() {
        for status in ExitCode.allCases {
            #expect((ExitCode.worst(of: [.ok, status]) == .ok) == (status == .ok))
        }
        #expect(ExitCode.worst(of: []) == .ok)
    }

    @Test(arguments: [
        (401, ExitCode.credentials), (403, .credentials), (400, .data), (422, .data),
        (404, .configuration), (301, .configuration), (429, .tryLater), (500, .unavailable),
        (503, .unavailable), (408, .unavailable), (999, .unavailable),
    ]) func `an answer that a person waited for decides how the command ends`(
        code: Int, status: ExitCode
    ) {
        let failure = StatusFailure(code: code, reason: nil, retryAfter: nil)
        #expect(CommandError.api(.status(failure)).status == status)
    }

    @Test func `a server that asks to wait is tried later`() {
        let failure = StatusFailure(code: 503, reason: nil, retryAfter: .seconds(5))
        #expect(CommandError.api(.status(failure)).status == .tryLater)
    }

    @Test func `errors of the layers below keep their numbers`() {
        let held = LockError.held(path: "/c.lock", by: .init(pid: 7, role: .daemon))
        let account = Account(baseURL: "http://a", email: "b@c")
        let cases: [(CommandError, ExitCode)] = [
            (.lock(held), .tryLater), (.lock(.cancelled), .interrupted), (.store(.busy), .tryLater),
            (.store(.otherAccount(cached: account, configured: account)), .configuration),
            (.store(.diskFull), .disk), (.store(.missing(path: "/c")), .disk),
            (.store(.unknownRow(1, of: .todos)), .data), (.store(.refused("x")), .data),
            (.output(.closedPipe), .closedPipe), (.usage(UsageError("x", command: nil)), .usage),
            (.configuration(.noFile(searched: [])), .configuration), (.interrupted, .interrupted),
            (.file(.missing("/c")), .disk),
        ]
        for (error, status) in cases {
            #expect(error.status == status, "\(error)")
            #expect(!error.hint.isEmpty)
            #expect(!error.description.isEmpty)
        }
    }
}
