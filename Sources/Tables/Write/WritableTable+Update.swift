internal import Declarations

/// What an `UPDATE` does: it marks the fields that it changes.
extension WritableTable {
    private var oldID: String { "OLD.\(id)" }
    private var newID: String { "NEW.\(id)" }

    var updateTriggers: [SchemaObject] {
        updates ? [guarded, marked, edited] : [unchangeable]
    }

    /// What a program may write of the bookkeeping: what is true of it. So the triggers pass.
    private var untrue: [String] {
        let truths =
            [(state, stateOf(oldID)), (error, errorOf(oldID)), (serverID, serverIDOf(oldID))]
            + copies.map { ($0.name, copy($0.source, of: oldID)) }
        return truths.map { name, truth in
            "NEW.\(name) IS NOT OLD.\(name) AND NEW.\(name) IS NOT \(truth)"
        }
    }

    private func differs(_ columns: [Column]) -> String {
        columns.map { "\(column($0, of: "NEW")) IS NOT \(column($0, of: "OLD"))" }.anyHolds
    }

    /// Where the server has no call for it.
    private var unchangeable: SchemaObject {
        let changes = "NEW.\(id) IS NOT OLD.\(id) OR \(differs(fields))"
        let wrong =
            [changes, "NEW.\(added) IS NOT OLD.\(added) AND OLD.\(added) IS NOT NULL"] + untrue
        return trigger(
            "update", "BEFORE UPDATE ON \(table)", when: list.isProgram,
            [refuse(sentences.noUpdate, where: wrong.anyHolds)])
    }

    /// What no program changes. Alone it is refused. Beside a change that is taken it is put back: a program
    /// that writes whole rows writes what it once read.
    private var guarded: SchemaObject {
        let fixed =
            [id, serverID, state, error, added] + copies.map(\.name)
            + (readOnly + givenOnce).map { SQLName($0.name) }
        let wrong = (untrue + [differs(readOnly)]).anyHolds
        let given =
            [
                (
                    "NEW.\(added) IS NOT OLD.\(added) AND OLD.\(added) IS NOT NULL",
                    list.name(of: .added).name
                )
            ] + zip(untrue, [state, error, serverID].map(\.name) + copies.map(\.name.name))
            + readOnly.map { (differs([$0]), $0.name) }
        let once = givenOnce.isEmpty ? [] : [refuse(sentences.givenOnce, where: differs(givenOnce))]
        return trigger(
            "fixed", "BEFORE UPDATE OF \(fixed.listed) ON \(table)", when: list.isProgram,
            [refuse(sentences.id, where: "\(newID) IS NOT \(oldID)")] + once
                + [
                    refuse(
                        firstOf: given.map { ($0, sentences.fixed($1)) },
                        where: """
                            NEW.\(added) IS NOT OLD.\(added) AND OLD.\(added) IS NOT NULL
                                OR NOT (\(differs(updatable))) AND (\(wrong))
                            """)
                ])
    }

    private var isEdit: String { "\(list.isProgram) AND (\(differs(updatable)))" }
    private var updatableNames: String { updatable.map { SQLName($0.name) }.listed }

    /// In BEFORE: the AFTER trigger writes to the row, and does not run once more where a person's own trigger
    /// writes to it, too.
    private var marked: SchemaObject {
        let changed = updatable.enumerated().map { index, field in
            "iif(\(differs([field])), \(UInt64(1) << UInt64(index)), 0)"
        }.joined(separator: " | ")
        let bits = fields("(\(changed))", of: oldID)
        let isOurMark = "list = \(listName) AND row_id = \(oldID) AND \(Self.isMark)"
        return trigger(
            "mark", "BEFORE UPDATE OF \(updatableNames) ON \(table)", when: isEdit,
            updatable.flatMap { checks(of: $0, ifNew: differs([$0])) }
                + updatable.flatMap { checksOfActions(of: $0, ifNew: differs([$0])) }
                + sizeOfChangedRow + [
                    refuse(
                        sentences.dropping, where: has(oldID, "kind = 'update'", in: "withdrawn")),
                    queue(
                        .update, of: oldID,
                        where: mayBeMarked(
                            oldID, givenLater: givenLater.isEmpty ? [] : [differs(givenLater)])),
                    """
                    UPDATE operation SET fields = fields | \(bits)
                    WHERE \(isOurMark) AND (fields | \(bits)) IS NOT fields;
                    """,
                ])
    }

    /// Whether a row gets a mark, if it has none. The create that waits takes along what it can give; of what it
    /// cannot, `given` says whether the program gives it.
    func mayBeMarked(_ row: String, givenLater given: [String]) -> String {
        guard creates, !given.isEmpty else {
            return "NOT \(has(row, "(\(Self.isUnsentCreate) OR \(Self.isMark))"))"
        }
        return """
            NOT \(has(row, Self.isMark))
                AND (NOT \(has(row, Self.isUnsentCreate)) OR \(given.anyHolds))
            """
    }

    /// Of the fields `bits`, those that the row's create, if it waits, leaves to an update.
    func fields(_ bits: String, of row: String) -> String {
        guard laterFields != 0 else { return bits }
        return "(\(bits) & iif(\(has(row, Self.isUnsentCreate)), \(laterFields), \(allFields)))"
    }

    private var edited: SchemaObject {
        trigger(
            "edit", "AFTER UPDATE OF \(updatableNames) ON \(table)", when: isEdit,
            [mirror(newID), tell("'changed'", newID)])
    }

    /// What `column` may not become, where the row does not have it already.
    func checks(of column: Column, ifNew isNew: String) -> [String] {
        guard let (type, _) = column.field else { return [] }
        return ColumnChecks(
            column: column, type: type, subject: sentences.subject(column),
            isMissing: sentences.isMissing, isNew: isNew, depth: depth(of: column),
            words: column.isPart ? list.declaration.each?.words ?? [] : []
        ).statements
    }

    /// What `column` may not become where no call takes another value.
    private func checksOfActions(of column: Column, ifNew isNew: String) -> [String] {
        guard let values = list.declaration.valuesOfActions(for: column.name) else { return [] }
        let value = "NEW.\(SQLName(column.name))"
        let allowed = values.map { "\(value) IS \($0.sql)" }.anyHolds
        let words = values.map(\.sql)
        let last = words.last ?? ""
        let choice =
            words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " + last : last
        return [
            refuse(
                "\(sentences.subject(column)) can only become \(choice): the server has no call for another value",
                where: "(\(isNew)) AND NOT (\(allowed))")
        ]
    }
}

extension [SQLName] {
    fileprivate var listed: String { map(\.description).joined(separator: ", ") }
}
