/// The list that the cache was brought to by the last pull: enough of it to notice when the
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
    let body: Body

    /// What is kept of an answer's bytes.
    struct Body {
        let count: Int
        let digest: Int

        init(_ body: [UInt8]) {
            count = body.count
            digest = KnownList.digest(of: body)
        }
    }

    init(
        body: Body, url: String, validators: StoredValidators, rows: Int64, version: Int64
    ) {
        self.url = url
        self.validators = validators
        self.rows = rows
        self.version = version
        self.body = body
    }

    /// Whether `body` is that list. Two that differ are taken for the same once in 2^64 times,
    /// and by nobody's choice: the digest is keyed by chance in each process.
    func isSame(_ body: [UInt8], url: String, validators: StoredValidators) -> Bool {
        body.count == self.body.count && url == self.url && validators == self.validators
            && Self.digest(of: body) == self.body.digest
    }

    private static func digest(of body: [UInt8]) -> Int {
        var hasher = Hasher()
        body.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
