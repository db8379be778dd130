internal import SQLite

extension CacheStore {
    /// Makes the cache belong to `account` when it belongs to nobody yet; throws
    /// ``StoreError/otherAccount(cached:configured:)`` when it belongs to another one.
    public func bind(to account: Account) throws(StoreError) {
        if try self.account() == account { return }
        try write(.full) { try claim(for: account) }
    }

    /// Whose todos the cache holds; nil before the first command that knew.
    public func account() throws(StoreError) -> Account? {
        try read { try cachedAccount() }
    }

    func cachedAccount() throws(SQLiteError) -> Account? {
        try connection.first("SELECT base_url, email FROM account") {
            Account(baseURL: $0.text(0), email: $0.text(1))
        }
    }

    /// The same, inside a transaction that goes on to commit what is about to be sent.
    func claim(for account: Account) throws {
        guard let cached = try cachedAccount() else {
            try connection.run(
                "INSERT INTO account (id, base_url, email) VALUES (1, ?, ?)",
                .text(account.baseURL), .text(account.email))
            return
        }
        guard cached == account else {
            throw StoreError.otherAccount(cached: cached, configured: account)
        }
    }
}
