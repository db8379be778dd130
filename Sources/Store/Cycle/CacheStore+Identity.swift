public import Declarations
internal import SQLite
public import Tables

extension CacheStore {
    /// Looks whether the rows of `table` are those of `identity`, and writes down that they are where nobody knows
    /// yet.
    ///
    /// If they are those of another list, and nothing of it waits, then they leave: what is pulled gets new local
    /// ids. If only the credential is another one, the rows stay for the next pull to judge. While changes wait
    /// for the other list, nothing is done.
    public func recognise(
        _ table: ListTable, as identity: ListIdentity
    ) throws(StoreError) -> ListRecognition {
        let cached = try read { try cachedIdentity(of: table, like: identity) }
        guard cached != identity else { return .known }
        try requireUnchangedFile()
        return try toleratingForeignKeys { () throws(StoreError) in
            try write(.full) {
                guard let cached = try cachedIdentity(of: table, like: identity) else {
                    try note(identity, of: table)
                    return .known
                }
                guard let difference = identity.difference(from: cached) else {
                    try note(identity, of: table)
                    return .known
                }
                let waiting = try ListSchema(connection: connection).countWaiting(table)
                guard waiting == 0 else {
                    return .refused(difference, cached: cached, waiting: waiting)
                }
                try forgetPages(of: table)
                try forgetMark(of: table.declaration.name)
                if difference != .credential { try forgetRows(of: table) }
                try note(identity, of: table)
                return difference == .credential ? .known : .madeAnew
            }
        }
    }

    /// Whose the rows of `name` are. Where its server was never asked for it, other lists of the same account know.
    public func owner(of name: ListName) throws(StoreError) -> ListOwner {
        try read {
            try connection.first(
                """
                SELECT coalesce(own.owner, (SELECT other.owner FROM account AS other
                        WHERE other.base_url = own.base_url AND other.email = own.email
                            AND other.owner IS NOT NULL ORDER BY other.list LIMIT 1)),
                    iif(own.owner IS NULL, NULL, own.owner_asked)
                FROM account AS own WHERE own.list = ?
                """, .text(name.text)
            ) { ListOwner(name: $0.textOrNil(0), askedWith: $0.textOrNil(1)) }
                ?? ListOwner(name: nil, askedWith: nil)
        }
    }

    /// Writes down whose the rows of `name` are.
    public func note(_ owner: ListOwner, of name: ListName) throws(StoreError) {
        try write(.full) {
            try connection.run(
                "UPDATE account SET owner = ?2, owner_asked = ?3 WHERE list = ?1",
                .text(name.text), .text(owner.name), .text(owner.askedWith))
        }
    }

    /// How many rows the staged list lacks that the table has.
    public func missingRows(of table: ListTable) throws(StoreError) -> Int64 {
        try read {
            if let parts = table.parts { return try connection.count(parts.countLacking) }
            guard let sql = table.writeReconciliation else {
                return try connection.count(table.countMissing)
            }
            return try connection.count(
                """
                SELECT count(*) FROM \(sql.known) AS known
                WHERE NOT EXISTS (SELECT 1 FROM \(sql.pulled) AS pulled WHERE pulled.key = known.server_id)
                """)
        }
    }

    private func cachedIdentity(
        of table: ListTable, like identity: ListIdentity
    ) throws(SQLiteError) -> ListIdentity? {
        try connection.first(
            """
            SELECT base_url, email, path, query, headers, credential FROM account
            WHERE list = ? AND path IS NOT NULL
            """, .text(table.declaration.name.text)
        ) {
            ListIdentity(
                account: Account(baseURL: $0.text(0), email: $0.text(1)), path: $0.text(2),
                query: $0.text(3), headers: $0.text(4), credential: $0.textOrNil(5),
                isOwnerAsked: identity.isOwnerAsked)
        }
    }

    private func note(_ identity: ListIdentity, of table: ListTable) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO account (list, base_url, email, path, query, headers, credential)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (list) DO UPDATE SET base_url = ?2, email = ?3, path = ?4, query = ?5,
                headers = ?6, credential = ?7
            """, .text(table.declaration.name.text), .text(identity.account.baseURL),
            .text(identity.account.email), .text(identity.path), .text(identity.query),
            .text(identity.headers), .text(identity.credential))
    }

    /// The next list is read whole, be it the same as the last one.
    func forgetPages(of table: ListTable) throws(SQLiteError) {
        knownLists[table.declaration.name] = nil
        try connection.run(
            "DELETE FROM validator WHERE list = ?", .text(table.declaration.name.text))
    }

    /// Everything that is known of the rows. Local ids go on where they were.
    private func forgetRows(of table: ListTable) throws {
        let name = table.declaration.name
        let log = ChangeLog(connection: connection)
        noteDataWritten()
        try connection.beginApplying(to: table)
        try connection.run("UPDATE control SET paused = ?", .text(name.text))
        try connection.run("DELETE FROM \(table.table)")
        // Nothing waits, so no row is hidden.
        if let known = table.writeReconciliation?.known {
            try connection.run("DELETE FROM \(known)")
        }
        for sql in table.fullTextStatements?.rebuild ?? [] { try connection.run(sql) }
        for memory in ["trail", "departed", "missed_row", "hold", "held_row", "part"] {
            try connection.run("DELETE FROM \(memory) WHERE list = ?", .text(name.text))
        }
        try connection.run(
            """
            UPDATE sync_state SET pulled_boot = NULL, pulled_ms = NULL, row_count = NULL,
                complete = NULL, title_cut = NULL, marks = NULL, whole_at = NULL, whole_boot = NULL,
                whole_ms = NULL, whole_pages = 0, counted_boot = NULL, counted_ms = NULL, whole_wanted = 0, missed = 0, missed_why = NULL
            WHERE list = ?
            """, .text(name.text))
        try connection.run(
            "UPDATE account SET owner = NULL, owner_asked = NULL WHERE list = ?",
            .text(name.text))
        try log.reset(name)
        try log.resume()
        try connection.endApplying()
    }
}
