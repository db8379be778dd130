import Declarations
import Foundation
import SQLite
import Tables
import Testing
import Text

@Suite struct `the SQL of a declared list` {
    /// Compares `text` with the golden file of this name, or writes that.
    private func compare(_ text: String, with name: String) throws {
        let file = Golden.folder.appending(path: "\(name).sql")
        if ProcessInfo.processInfo.environment["SYNCD_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    private func script(_ objects: [SchemaObject]) -> String {
        objects.map { $0.sql + ";\n" }.joined(separator: "\n")
    }

    private func check(_ declaration: Declaration, beside others: [Declaration] = []) throws {
        let table = ListTable(declaration)
        let parts =
            (declaration.isReadOnly ? statements(table.pull) : try statements(of: table))
            + (table.referenceStatements.map(statements) ?? [])
            + (table.since.map(statements) ?? []) + (table.parts.map(statements) ?? [])
        try compare(
            script(table.schema) + parts.map { "\n-- \($0)\n\($1);\n" }.joined(),
            with: declaration.name.text)

        let connection = try Golden.cache(of: others + [declaration])
        try connection.execute(script: ReferenceStatements.noted)
        for sql in table.writePull?.prepare ?? table.pull.prepare { try connection.run(sql) }
        for (_, sql) in parts { _ = try connection.statement(sql) }
        // Once more, with what a program says that does not trust the schema.
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("INSERT INTO change (list, change) VALUES ('x', 'reset')")
    }

    private func statements(_ pull: PullStatements) -> [(String, String)] {
        let named = [
            ("envelope", pull.envelope), ("stage", pull.stage), ("nameSkipped", pull.nameSkipped),
            ("stageUnchanged", pull.stageUnchanged), ("read", pull.read),
            ("lastRead", pull.lastRead),
        ]
        let published = [
            ("noteNew", pull.noteNew), ("noteChanged", pull.noteChanged), ("upsert", pull.upsert),
        ]
        let prepared = (pull.prepare.map { ("prepare", $0) }) + pull.clear.map { ("clear", $0) }
        return prepared + named + pull.compare.map { ("compare", $0) } + published
    }

    /// Of a list that programs write to.
    private func statements(of table: ListTable) throws -> [(String, String)] {
        let pull = try #require(table.writePull)
        let reconciliation = try #require(table.writeReconciliation)
        let queue = try #require(table.queueStatements)
        let all: [(String, [String?])] = [
            ("prepare", pull.prepare), ("clear", pull.clear), ("envelope", [table.pull.envelope]),
            ("stage", [pull.stage]), ("countUsable", [pull.countUsable]),
            ("nameSkipped", [pull.nameSkipped]), ("nameFields", [pull.nameFields]),
            ("compareRows", pull.compareRows), ("compareKnown", [pull.compareKnown]),
            (
                "countKnown",
                ["SELECT count(*) FROM \(reconciliation.known) WHERE \(reconciliation.counted)"]
            ),
            (
                "notShown",
                ["SELECT id FROM \(reconciliation.known) WHERE \(reconciliation.notShown)"]
            ),
            (
                "shownOtherwise",
                ["SELECT id FROM \(reconciliation.known) WHERE \(reconciliation.shownOtherwise)"]
            ),
            ("rememberDeparted", [reconciliation.rememberDeparted + " true"]),
            ("forgetDeparted", [reconciliation.forgetDeparted]),
            ("countMisses", reconciliation.countMisses), ("unowned", [reconciliation.unowned]),
            ("openOperations", [reconciliation.openOperations]),
            ("noteChanging", [reconciliation.noteChanging]),
            ("change", reconciliation.noteChanging == nil ? [] : reconciliation.change),
            ("lastID", [reconciliation.lastID]), ("nameArriving", [reconciliation.nameArriving]),
            ("addKnown", [reconciliation.addKnown]), ("addShown", [reconciliation.addShown]),
            ("tellAdded", [reconciliation.tellAdded]),
            ("updateDocuments", [reconciliation.updateDocuments]),
            ("echoes", [reconciliation.echoes]), ("unconfirmed", [reconciliation.unconfirmed]),
            ("waiting", [queue.waiting]), ("outgoing", [queue.outgoing]),
            ("answered", [queue.answered]), ("answeredUpdates", queue.answeredUpdates),
            ("answeredRead", [queue.answeredRead]), ("isSameRow", [queue.isSameRow]),
            ("owner", [queue.owner]), ("cut", [queue.cut]),
        ]
        return (all + (table.editStatements.map(statements) ?? [])).flatMap { name, statements in
            statements.compactMap { sql in sql.map { (name, $0) } }
        }
    }

    /// Of its edits; of the columns the first two show what is made for each.
    private func statements(_ edits: EditStatements) -> [(String, [String?])] {
        let fields: [(String, [String?])] = edits.fields.prefix(2).flatMap { field in
            [
                ("take \(field.name)", field.take), ("giveBack \(field.name)", field.giveBack),
                ("keep \(field.name)", [field.keep]), ("patch \(field.name)", [field.patch]),
                ("record \(field.name)", [field.record]),
            ]
        }
        return fields + [
            ("takeOthers", edits.takeOthers), ("layers", [edits.layers]),
            ("payload", [edits.payload]), ("creation", [edits.creation]),
            ("freeze", [edits.freeze]), ("empty", [edits.empty]), ("refused", [edits.refused]),
            ("isHidden", [edits.isHidden]), ("document", [edits.document]),
            ("setDocument", [edits.setDocument]),
            ("pulledRows", [edits.pulledRows]), ("dropped", [edits.dropped]),
        ]
    }

    /// Of what it refers to.
    private func statements(_ references: ReferenceStatements) -> [(String, String)] {
        var all: [(String, [String])] = [("keep", references.keep), ("fill", references.fill)]
        for follower in references.followers {
            all.append(("watch", follower.watch))
            all.append(("find", [follower.find]))
            all.append(("leave", follower.leave))
            all.append(("show", follower.show))
            all.append(("tell", [follower.tell]))
        }
        all.append(("waits", ["SELECT seq FROM operation WHERE \(references.waits)"]))
        all.append(("waiting", references.waiting))
        all.append(("deletesBehind", [ReferenceStatements.deletesBehind([references])]))
        return all.flatMap { name, statements in statements.map { (name, $0) } }
    }

    /// Of increments.
    private func statements(_ since: SinceStatements) -> [(String, String)] {
        let named = [
            ("newest", since.newest), ("sent", since.sent), ("missed", since.missed),
            ("bury", since.bury), ("countBuried", since.countBuried), ("kept", since.kept),
            ("countKnown of the server", since.countKnown),
            ("hasOpenAbsence", since.hasOpenAbsence),
            ("upsert of an increment", since.upsert),
        ]
        return named.compactMap { name, sql in sql.map { (name, $0) } }
            + since.compare.map { ("compare an increment", $0) }
    }

    /// Of a list in parts.
    private func statements(_ parts: PartStatements) -> [(String, String)] {
        let named: [(String, String?)] = [
            ("parts", parts.parts), ("doubtful", parts.doubtful), ("noteRead", parts.noteRead),
            ("noteLost", parts.noteLost), ("absent", parts.absent),
            ("countLacking", parts.countLacking), ("unknown", parts.unknown),
            ("addLeaving", parts.addLeaving), ("isLeaving", parts.isLeaving),
            ("forgetMisses", parts.forgetMisses), ("countMisses", parts.countMisses),
            ("wanted", parts.wanted), ("countEmptied", parts.countEmptied),
            ("partOfOperation", parts.partOfOperation), ("partOfRow", parts.partOfRow),
            ("lostRows", parts.lostRows), ("lostCreates", parts.lostCreates),
            ("forgetLost", parts.forgetLost), ("upsert of parts", parts.upsert),
            ("count of parts", parts.count),
        ]
        let all = [
            ("place", parts.place), ("compare parts", parts.compare),
            ("noteLeaving", parts.noteLeaving),
        ]
        return named.compactMap { name, sql in sql.map { (name, $0) } }
            + all.flatMap { name, statements in statements.map { (name, $0) } }
    }

    @Test func `of a list below rows is the one that was read`() throws {
        let lists = try [Golden.declaration("visits"), Golden.declaration("remarks")]
        try check(try lists[1].referring(to: lists), beside: [lists[0]])
    }

    @Test func `of rows that refer to rows is the one that was read`() throws {
        let lists = try [Golden.declaration("visits"), Golden.declaration("steps")]
        try check(try lists[1].referring(to: lists), beside: [lists[0]])
    }

    @Test func `of the movies is the one that was read`() throws { try check(Golden.movies) }

    @Test func `of the todos is the one that was read`() throws { try check(Golden.todos) }

    @Test(arguments: [
        "issues", "hostile", "wide", "notes", "visits", "rough", "letters", "feed", "places",
    ])
    func `is the one that was read`(name: String) throws {
        try check(Golden.declaration(name))
    }

    @Test func `of the queue is the one that was read`() throws {
        let lists = try [Golden.movies, Golden.todos, Golden.declaration("notes")].map(
            ListTable.init)
        try compare(script(SharedObjects.outbox(of: lists)), with: "outbox")
    }

    @Test func `of the check of texts is the one that was read`() throws {
        try compare(script(SharedObjects.textChecks), with: "texts")
    }
}
