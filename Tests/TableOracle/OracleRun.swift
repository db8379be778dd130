import SQLite

/// One run: the cache, its model, the server, and what comes next by chance.
final class OracleRun {
    let schema: TableSchema
    let database: OracleDatabase
    let cache: Connection
    let syncd: SyncSteps
    var model: Model
    var server = ServerRows()
    var random: SeededGenerator
    var trace: [String] = []
    /// The row that was written last. The next write is often to the same one.
    var latest: Int64 = 1
    /// The savepoints of the open transaction, the outermost first, with the model at each.
    private var savepoints: [(name: String, model: Model)] = []

    /// `database`: an empty one, of the setting that the seed draws.
    init(seed: UInt64, schema: TableSchema, on database: OracleDatabase) {
        self.schema = schema
        self.database = database
        random = SeededGenerator(seed: seed)
        let setting = Setting(seed: seed, &random)
        cache = database.connection
        syncd = SyncSteps(cache, setting, follow: schema.follow)
        model = Model(setting: setting)
        trace.append("\(setting)")
    }

    /// What stops a run.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Some rows of the server to begin with.
    func begin() throws {
        for title in ["a", "b", "c"] {
            _ = server.add([
                .title: .text(title), .body: .null, .done: .integer(0), .changed: .text("t0"),
                .book: random.element(of: Field.book.usual),
            ])
        }
        try pull(isSettled: true)
    }

    func step(_ number: Int) throws {
        var kind = random.number(0...99)
        if model.setting.isBusy, kind < 62, random.happens(35) { kind = random.number(62...99) }
        if kind < 62 { return try program() }
        if kind < 68 { return try outbox() }
        if !savepoints.isEmpty {
            guard model.setting.isBusy || random.happens(50) else { return }
            try commit()
        }
        switch kind {
        case ..<70: try showOtherwise()
        case ..<72: try writeUnseen()
        case ..<81: try send()
        case ..<92: try hear(at: number)
        default: try listAnew(at: number)
        }
    }

    // MARK: A program

    private func program() throws {
        if random.happens(12) { return try openSavepoint() }
        if !savepoints.isEmpty, random.happens(25) {
            if random.happens(50) {
                try random.happens(50) ? rollBack() : commit()
            } else if savepoints.count > 1, let inner = savepoints.popLast() {
                try cache.run("ROLLBACK TO \(inner.name)")
                try cache.run("RELEASE \(inner.name)")
                model = inner.model
                trace.append("ROLLBACK TO \(inner.name)")
            }
            return try compare(after: "the transaction")
        }
        try statement()
    }

    private func openSavepoint() throws {
        let name = "point\(savepoints.count)"
        let isSavepoint = !savepoints.isEmpty || random.happens(50)
        let sql = isSavepoint ? "SAVEPOINT \(name)" : "BEGIN"
        try cache.run(sql)
        savepoints.append((name, model))
        trace.append(sql)
    }

    private func commit() throws {
        try cache.run("COMMIT")
        savepoints = []
        trace.append("COMMIT")
    }

    private func rollBack() throws {
        try cache.run("ROLLBACK")
        model = savepoints.first?.model ?? model
        savepoints = []
        trace.append("ROLLBACK")
    }

    private func bookStatement() throws {
        let statement = BookStatement(&random, on: model.books)
        var (trial, refusal) = (model.books, Refusal?.none)
        do {
            try statement.effect(&trial)
        } catch let error as Refusal {
            refusal = error
        }
        let error = failure { try database.run(statement.sql, statement.values) }
        trace.append("\(statement.shown) -> \(error ?? "done")")
        try expect(refusal, error)
        if refusal == nil { model.books = trial }
        try compare(after: "the statement on books")
    }

    func statement() throws {
        if random.happens(15) { return try bookStatement() }
        let statement = ProgramStatement(&random, on: model, latest: latest)
        latest = statement.row ?? latest
        var (trial, refusal) = (model, Refusal?.none)
        do {
            try statement.effect(&trial)
        } catch let error as Refusal {
            refusal = error
        }
        let error = failure { try database.run(statement.sql, statement.values) }
        trace.append("\(statement.shown) -> \(error ?? "done")")
        try expect(refusal, error)
        if refusal?.keepsRows ?? true {
            model = trial
        } else if refusal?.endsTransaction ?? false, let outermost = savepoints.first {
            model = outermost.model
            savepoints = []
        }
        if cache.isInTransaction == savepoints.isEmpty {
            throw Problem(description: "the transaction is not as the statement leaves it")
        }
        try compare(after: "the statement")
    }

    /// The sentence of what failed.
    func failure(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as SQLiteError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    func expect(_ refusal: Refusal?, _ error: String?) throws {
        guard (refusal == nil) != (error == nil) else { return }
        throw Problem(
            description: refusal.map { "was not refused, but has to be: \($0.reason.rawValue)" }
                ?? "was refused, but has to be done")
    }
}
