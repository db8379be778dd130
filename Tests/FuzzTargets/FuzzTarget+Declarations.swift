import Declarations
import SQLite
import Store
import Tables
import TestSupport
import Text

extension FuzzTarget {
    /// The text of a declaration, a file of `lists`.
    ///
    /// Laws: it gives a declaration or errors on safe lines, each with what to do; the declaration as
    /// `lists show` prints it is a declaration, and the same one; its table can be made, with no object but
    /// those that it names; every statement of the list can be prepared.
    static let declarations = FuzzTarget("declarations") { bytes in
        guard let name = try? ListName("notes") else { return }
        let file: Declaration.File
        do throws(DeclarationError) {
            file = try Declaration.read(bytes, name: name, rules: anyAddress)
        } catch {
            try require(!error.problems.isEmpty, "an error says something")
            for problem in error.problems {
                try Hazard.requireNone(in: problem.sentence, "an error")
                try Hazard.requireNone(in: problem.hint, "a hint")
                try require(
                    !problem.sentence.isEmpty && problem.sentence.utf8.count < 2000
                        && !problem.hint.isEmpty, "an error is a sentence: \(problem.sentence)")
            }
            return
        }
        let declaration = file.declaration
        let printed = String(decoding: declaration.json().lines, as: UTF8.self)
        let first: Declaration
        let again: Declaration
        do throws(DeclarationError) {
            // Without its server, which the cache does not keep.
            first = try Declaration.stored(printed, name: name.text)
            let kept = String(decoding: first.json().lines, as: UTF8.self)
            again = try Declaration.stored(kept, name: name.text)
        } catch {
            throw BrokenLaw(
                description: "what is printed is a declaration, not \(error.problems): \(printed)")
        }
        try require(
            ListTable(first).hasShape(of: ListTable(declaration)) && again == first,
            "it is the same again: \(printed)")
        try await makeTable(of: declaration)
    }

    /// Nobody asks there.
    private static let anyAddress = ServerDescription.Rules(
        problem: { address in
            address.hasPrefix("http") ? nil : ("is no address", "Write an address.")
        }, isOwnMachine: { $0.contains("127.0.0.1") })

    private static func makeTable(of declaration: Declaration) async throws {
        let table = ListTable(declaration)
        let world = try FuzzWorld(ScriptedAnswers { _ in .json("[]") }, list: table)
        let sql =
            "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_autoindex%'"
        let before = try await Set(world.rows(sql))
        try await world.store.bring(to: [table])
        // The full text has tables of its own.
        let shadows = ["data", "idx", "docsize", "config", "content"].map {
            "table notes_search_\($0)"
        }
        let made = try await Set(world.rows(sql)).subtracting(before).subtracting(shadows)
        let named = Set(table.schema.map { "\($0.kind) \($0.name)" })
        try require(made == named, "nothing is made but what is named: \(made), \(named)")
        try await world.store.beginPull(of: table)
        try await world.store.withConnection { connection in
            for sql in statements(of: table) {
                do {
                    _ = try connection.prepare(sql)
                } catch {
                    throw BrokenLaw(description: "\(error): \(sql)")
                }
            }
        }
        try await world.store.bring(to: [table])
        let violations = try await StoreInvariants.violations(in: world.store)
        try require(violations.isEmpty, "the cache is lawful, not: \(violations)")
    }

    /// Every statement that syncd runs for the list.
    private static func statements(of table: ListTable) -> [String] {
        let pull = table.pull
        let read: [Any?] = [
            pull.envelope, pull.stage, pull.nameSkipped, pull.stageUnchanged, pull.read,
            pull.compare[2], pull.compare[3], pull.noteNew, pull.noteChanged, pull.upsert,
            table.countDoubled,
        ]
        let written: [Any?] = [
            table.writePull, table.rowStatements, table.queueStatements, table.editStatements,
            table.sweepStatements, table.mendStatements, table.writeReconciliation,
        ]
        let both =
            [table.documentLaw, table.listing(isWhole: true, isSearched: false)] + table.examples
        return both + (table.declaration.isReadOnly ? read : written).flatMap(statements(in:))
    }

    /// The statements in a value: conditions and names stand beside them.
    private static func statements(in value: Any?) -> [String] {
        guard let value else { return [] }
        guard let sql = value as? String else {
            return Mirror(reflecting: value).children.flatMap { statements(in: $0.value) }
        }
        let verbs = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]
        guard verbs.contains(where: { sql.hasPrefix($0 + " ") }) else { return [] }
        // One that is given its condition later ends there.
        return [sql.hasSuffix("WHERE") ? sql + " true" : sql]
    }
}
