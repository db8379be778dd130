/// One step of the schema: applied once, in one transaction, in the order of the versions.
public struct Migration: Sendable, Hashable {
    /// 1 for the first; there are no gaps.
    public let version: Int
    /// The file's name without number and ending.
    public let name: String
    /// The SQL, kept beside the applied migration so that an edited one is noticed.
    public let text: String

    /// A migration from its parts; the product's own are in ``all``.
    public init(version: Int, name: String, text: String) {
        self.version = version
        self.name = name
        self.text = text
    }

    /// Every migration of this build, in order. A test compares the list with the folder.
    public static let all: [Migration] = [
        Migration(
            version: 1, name: "create_cache",
            text: String(decoding: PackageResources._001_create_cache_sql, as: UTF8.self)),
        Migration(
            version: 2, name: "add_changes_history_and_checks",
            text: String(
                decoding: PackageResources._002_add_changes_history_and_checks_sql, as: UTF8.self)),
    ]
}
