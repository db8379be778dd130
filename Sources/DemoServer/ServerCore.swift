import APIClient
import ReferenceAPI

/// The services, their journal and their faults: what one request after the other goes through.
struct ServerCore: ~Copyable, Sendable {
    /// What the network side does with a request.
    enum Outcome {
        case answer(HTTPResponse, Fate)
        /// Close the connection without an answer.
        case close(Fate)
        /// The change could not be saved: close this connection, and answer nothing any more.
        case failed(DemoError)
    }

    private(set) var server: ReferenceServer
    private var journal: StateJournal?
    private var faults: FaultPlan
    private var middlebox: Middlebox
    private var untrue: UntrueServer
    private var isClosed = false

    private init(
        server: ReferenceServer, journal: consuming StateJournal?, faults: FaultPlan,
        middlebox: Middlebox, untrue: UntrueServer
    ) {
        self.server = server
        self.journal = journal
        self.faults = faults
        self.middlebox = middlebox
        self.untrue = untrue
    }

    /// The services, going on from the journal's state where there is one; the account of the
    /// demo is made where it is missing.
    static func open(_ settings: DemoSettings) throws(DemoError) -> ServerCore {
        var state = ReferenceState()
        var journal: StateJournal?
        if let path = settings.stateFile { journal = try StateJournal.open(path, into: &state) }
        var core = ServerCore(
            server: ReferenceServer(
                state: state, behaviour: settings.behaviour, movies: settings.movies),
            journal: journal, faults: FaultPlan(settings.faults, random: settings.random),
            middlebox: Middlebox(settings.faults.middlebox, seed: settings.behaviour.seed),
            untrue: UntrueServer(settings.faults.untruths, seed: settings.behaviour.seed))
        core.server.declaredLists = settings.lists
        if settings.stateFile != nil {
            core.server.keepLists()
            try core.save()
        }
        let email = "demo@example.com"
        core.server.addUser(name: "Demo", email: email, password: settings.password)
        try core.save()
        let untitled = core.server.state.todos(email: email).count { $0.title.isEmpty }
        for _ in untitled..<max(untitled, settings.untitled) {
            core.server.addTodo(owner: email, title: "")
            try core.save()
        }
        return core
    }

    /// Lets `request` meet its fate; what it changes is on disk before this returns.
    mutating func handle(_ request: HTTPRequest, atMilliseconds now: Int64) -> Outcome {
        guard !isClosed else { return .close(.requestLost) }
        let fate = faults.next()
        switch fate {
        case .requestLost, .misled, .deceived:
            return .close(fate)
        case .refused:
            return .answer(ReferenceServer.refusal(503, "Service Unavailable"), fate)
        case .served, .answerLost:
            let seconds = now / 1000
            if let fault = middlebox.fault(for: request, at: seconds) {
                // It reads at most: there is nothing to save.
                let answer = fault.answer(request) { server.answer($0, at: seconds) }
                return fate == .answerLost ? .close(.requestLost) : .answer(answer, .misled(fault))
            }
            let (answer, untruth, changes) = untrueAnswer(request, at: now)
            do throws(DemoError) {
                try save(changes)
            } catch {
                isClosed = true
                return .failed(error)
            }
            if fate == .answerLost { return .close(fate) }
            return .answer(answer, untruth.map { .deceived($0) } ?? fate)
        }
    }

    /// Lets the state file go; nothing is handled any more.
    mutating func close() {
        isClosed = true
        journal = nil
    }

    /// What is answered, and all that was changed for it: a write that was promised is done with the next request.
    private mutating func untrueAnswer(
        _ request: HTTPRequest, at now: Int64
    ) -> (HTTPResponse, Untruth?, [ReferenceChange]) {
        var untrue = untrue
        var changes: [ReferenceChange] = []
        let (answer, untruth) = untrue.answer(request, at: now) { request in
            let answer = server.answer(request, at: now / 1000, milliseconds: now % 1000)
            changes += server.lastChanges
            return answer
        }
        self.untrue = untrue
        return (answer, untruth, changes)
    }

    private mutating func save() throws(DemoError) { try save(server.lastChanges) }

    private mutating func save(_ changes: [ReferenceChange]) throws(DemoError) {
        guard !changes.isEmpty else { return }
        try journal?.append(changes)
    }
}
