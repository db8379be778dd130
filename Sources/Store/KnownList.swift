/// The list of todos that the cache was brought to by the last pull: enough of it to notice when the
/// same comes again.
///
/// Most pulls bring what the last one did, from servers that know no validators. Reading such a list
/// takes SQLite 40 000 instructions a row, for nothing.
struct KnownList {
    let url: String
    let validators: StoredValidators
    let rows: Int64
    /// The `data_version` in the transaction that took it: commits of others move it.
    let version: Int64
    private let count: Int
    private let digest: Int

    init(
        body: [UInt8], url: String, validators: StoredValidators, rows: Int64, version: Int64
    ) {
        self.url = url
        self.validators = validators
        self.rows = rows
        self.version = version
        count = body.count
        digest = Self.digest(of: body)
    }

    /// Whether `body` is that list. Two that differ are taken for the same once in 2^64 times,
    /// and by nobody's choice: the digest is keyed by chance in each process.
    func isSame(_ body: [UInt8], url: String, validators: StoredValidators) -> Bool {
        body.count == count && url == self.url && validators == self.validators
            && Self.digest(of: body) == digest
    }

    private static func digest(of body: [UInt8]) -> Int {
        var hasher = Hasher()
        body.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
