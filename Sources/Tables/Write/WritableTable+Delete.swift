internal import Declarations

/// What a `DELETE` does: it hides the row and queues a delete, or withdraws a create that was not sent.
extension WritableTable {
    private var oldID: String { "OLD.\(id)" }

    var deleteTriggers: [SchemaObject] {
        (deletes ? [] : [undeletable]) + (deletes || creates ? [deleted] : [])
    }

    private var undeletable: SchemaObject {
        trigger(
            "undeletable", "BEFORE DELETE ON \(table)", when: list.isProgram,
            [refuse(sentences.noDelete, where: "NOT \(has(oldID, Self.isUnsentCreate))")])
    }

    private var deleted: SchemaObject {
        trigger(
            "delete", "AFTER DELETE ON \(table)", when: list.isProgram,
            hiding + withdrawing + [
                """
                INSERT INTO change (list, change, row_id, title)
                VALUES (\(listName), 'removed', \(oldID), \(list.title("OLD")));
                """
            ] + (deletes ? queueing : []))
    }

    /// First, so that whoever tells of the operation finds the row's title.
    private var hiding: [String] {
        [hide("OLD", where: "(\(isKnown(oldID)) OR \(has(oldID, "kind = 'create'")))")]
    }

    /// What was never sent needs no delete. Its operation is kept until syncd looks: the program may be about
    /// to write the row again, as `INSERT OR REPLACE` does. A mark beside it, which a person's trigger or an ended
    /// doubt has left, says nothing and goes.
    private var withdrawing: [String] {
        let unsent = operations(oldID, Self.isUnsentCreate)
        let marked = operations(oldID, "\(Self.isMark) AND \(has(oldID, Self.isUnsentCreate))")
        return ["INSERT INTO withdrawn SELECT * \(unsent);"]
            + (updates ? ["DELETE \(marked);"] : []) + [
                "DELETE \(unsent);",
                """
                DELETE FROM \(hidden)
                WHERE id = \(oldID) AND NOT \(isKnown(oldID)) AND NOT \(has(oldID, "kind = 'create'"));
                """,
            ]
    }

    /// One that the server refused is tried again. A create that is being sent or in doubt has to be waited for:
    /// the delete queues behind it.
    private var queueing: [String] {
        [
            queue(
                .delete, of: oldID,
                where: "\(isHidden(oldID)) AND NOT \(has(oldID, "kind = 'delete'"))"),
            """
            UPDATE operation SET \(Self.anew)
            WHERE list = \(listName) AND row_id = \(oldID) AND kind = 'delete' AND state = 'rejected';
            """,
        ]
    }
}
