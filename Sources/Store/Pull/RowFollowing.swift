internal import Declarations
internal import SQLite
internal import Tables
internal import Text

/// Brings the rows that refer to others in line, in the commit in which those others change.
struct RowFollowing {
    let connection: Connection
    let lists: [ReferenceStatements]

    /// The lists that have a table, and whose rows refer to others.
    static func lists(_ connection: Connection) throws -> [ReferenceStatements] {
        guard try connection.countTables(like: "r_*") > 0 else { return [] }
        return try ListSchema(connection: connection).made().compactMap(\.referenceStatements)
    }

    /// Makes the temporary triggers.
    func watch() throws {
        try connection.execute(script: ReferenceStatements.noted)
        for statement in lists.flatMap({ $0.keep + $0.followers.flatMap(\.watch) }) {
            try connection.execute(script: statement)
        }
    }

    /// Removes them.
    static func stop(_ connection: Connection) throws {
        let names = try connection.all(
            "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger'"
        ) { $0.text(0) }
        for name in names {
            try connection.run("DROP TRIGGER temp.\(name.quoted(by: "\"", escaping: "\"\""))")
        }
    }

    /// Inside the transaction of the changes, after them.
    func follow() throws {
        guard try connection.count("SELECT EXISTS (SELECT 1 FROM temp.referred)") == 1 else {
            return
        }
        for list in lists {
            for follower in list.followers { try follow(follower, of: list.list) }
        }
        try connection.run("DELETE FROM temp.referred")
    }

    private func follow(_ follower: ReferenceStatements.Follower, of list: ListName) throws {
        try connection.run("DELETE FROM temp.following")
        guard try connection.run(follower.find) > 0 else { return }
        for statement in follower.leave { try connection.run(statement) }
        let count = try connection.count("SELECT count(*) FROM temp.following")
        guard count > 0 else { return }
        let log = ChangeLog(connection: connection)
        try log.pause(list, before: count)
        try connection.beginApplying(to: list.text)
        for statement in follower.show { try connection.run(statement) }
        try connection.endApplying()
        try connection.run(follower.tell)
        try log.resume()
        try connection.run("DELETE FROM temp.following")
    }
}

@available(*, unavailable) extension RowFollowing: Sendable {}
