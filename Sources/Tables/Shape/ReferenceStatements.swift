public import Declarations

/// How the rows of one list follow those that they refer to.
///
/// What the server has of a reference stands in the document, and the table shows the local number of the row that it
/// means now. Beside the documents, `r_NAME` has the same once more, to be found by: no index of the schema may read
/// JSON, because programs that do not trust the schema could not read the cache then. Triggers keep it that are syncd's
/// own, and so are no part of the file.
///
/// Law: a row comes, goes, or gets its id at the server. The same commit brings the rows in line that refer to it. A row
/// with a value that waits, or that was sent, stays as it is.
public struct ReferenceStatements: Sendable, Hashable {
    /// One column of the list.
    public struct Follower: Sendable, Hashable {
        /// The list that it refers to.
        public let list: ListName
        /// Note what that list calls its rows, whenever that changes: temporary triggers.
        public let watch: [String]
        /// Notes the rows that refer to what was noted, and which local number that is now.
        public let find: String
        /// Forgets those that are to stay as they are.
        public let leave: [String]
        /// Show the numbers.
        public let show: [String]
        /// Tells of those that are shown.
        public let tell: String
        /// Rows that the server has, or may have, below others there, and that an operation takes away or moves: the list
        /// and the number of the row above, and the operation.
        public let seeds: [String]
        /// The same one step higher, from `above`.
        public let step: String
    }

    /// The list.
    public let list: ListName
    /// Keep `r_NAME` like the documents: temporary triggers.
    public let keep: [String]
    /// Fill `r_NAME` anew, out of the documents.
    public let fill: [String]
    /// The columns that refer to rows.
    public let followers: [Follower]
    /// Whether an operation that is queued, of `operation`, waits for a row that it refers to.
    public let waits: String
    /// Rows of `r_NAME` that are not what the documents say, as rows of a law.
    let law: String
    /// The operations that wait so, and those for which they do: its number, and the other's number, list, kind and
    /// state.
    public let waiting: [String]

    /// The deletes that are queued and have to wait, because operations of rows below theirs have not ended: its
    /// number, and the other's number, list, kind and state. Of deletes that wait for each other, the oldest goes.
    public static func deletesBehind(_ lists: [ReferenceStatements]) -> String {
        let followers = lists.flatMap(\.followers)
        let seeds = followers.flatMap(\.seeds).joined(separator: "\nUNION ALL ")
        let steps = followers.map(\.step).joined(separator: "\nUNION ")
        return """
            WITH RECURSIVE above (list, row_id, seq) AS (
            \(seeds)
            UNION \(steps)
            ), stands (list, row_id, seq) AS MATERIALIZED (SELECT * FROM above WHERE row_id IS NOT NULL)
            SELECT deletion.seq, lower.seq, lower.list, lower.kind, lower.state
            FROM operation AS deletion
                JOIN stands ON stands.list = deletion.list AND stands.row_id = deletion.row_id
                JOIN operation AS lower ON lower.seq = stands.seq
            WHERE deletion.kind = 'delete' AND deletion.state = 'queued' AND lower.seq <> deletion.seq
                AND NOT (lower.kind = 'delete' AND deletion.seq < lower.seq
                    AND EXISTS (SELECT 1 FROM stands AS own WHERE own.seq = deletion.seq
                        AND own.list = lower.list AND own.row_id = lower.row_id))
            ORDER BY deletion.seq, lower.seq
            """
    }

    /// What the temporary triggers write to, and what is found of it.
    public static let noted = """
        CREATE TEMP TABLE IF NOT EXISTS referred (
            list TEXT NOT NULL,
            field TEXT NOT NULL,
            key TEXT NOT NULL,
            PRIMARY KEY (list, field, key)
        ) STRICT, WITHOUT ROWID;
        CREATE TEMP TABLE IF NOT EXISTS following (row_id INTEGER PRIMARY KEY, number INTEGER) STRICT;
        """
}

extension ListTable {
    /// Nil for a list that refers to none.
    public var referenceStatements: ReferenceStatements? { ReferringTable(self)?.statements }

    /// `r_NAME` and its indexes; none where the list refers to no other. They follow from the documents, and are made
    /// anew with the table.
    var referenceTables: [SchemaObject] { ReferringTable(self)?.tables ?? [] }
}
