public import Declarations
internal import SQLite

extension CacheStore {
    /// Makes the rows of the list `name` belong to `account` when they belong to nobody yet; throws
    /// ``StoreError/otherAccount(cached:configured:)`` when they belong to another one.
    public func bind(_ name: ListName, to account: Account) throws(StoreError) {
        if try self.account(of: name) == account { return }
        try write(.full) { try claim(name, for: account) }
    }

    /// Whose rows of a list the cache holds; nil before the first command that knew.
    public func account(of name: ListName) throws(StoreError) -> Account? {
        try read { try cachedAccount(of: name) }
    }

    func cachedAccount(of name: ListName) throws(SQLiteError) -> Account? {
        try connection.first(
            "SELECT base_url, email FROM account WHERE list = ?", .text(name.text)
        ) {
            Account(baseURL: $0.text(0), email: $0.text(1))
        }
    }

    /// The same, inside a transaction that goes on to commit what is about to be sent.
    func claim(_ name: ListName, for account: Account) throws {
        guard let cached = try cachedAccount(of: name) else {
            try connection.run(
                "INSERT INTO account (list, base_url, email) VALUES (?, ?, ?)",
                .text(name.text), .text(account.baseURL), .text(account.email))
            return
        }
        guard cached == account else {
            throw StoreError.otherAccount(cached: cached, configured: account)
        }
    }
}
