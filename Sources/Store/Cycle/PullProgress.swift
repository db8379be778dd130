public import Declarations
internal import SQLite

/// How far a pull is that takes longer than a minute.
public struct PullProgress: Sendable, Hashable, CustomStringConvertible {
    /// How many pages have come.
    public let pages: Int64
    /// How many there are; nil where the server does not tell.
    public let total: Int64?

    /// So many pages of all.
    public init(pages: Int64, of total: Int64?) {
        self.pages = pages
        self.total = total.map { max($0, pages) }
    }

    /// `pulled 120 of 400 pages`.
    public var description: String {
        let unit = (total ?? pages) == 1 ? "page" : "pages"
        return total.map { "pulled \(pages) of \($0) \(unit)" } ?? "pulled \(pages) \(unit) so far"
    }
}

extension CacheStore {
    /// Shows in `sync_status` how far the pull of a list is; the end of its cycle takes that away.
    public func note(_ progress: PullProgress, of name: ListName) throws(StoreError) {
        try write(.normal) {
            try connection.run(
                "UPDATE sync_state SET pages_read = ?2, pages_told = ?3 WHERE list = ?1",
                .text(name.text), .integer(progress.pages), .integer(progress.total))
        }
    }

    /// A pull whose process died is under way no more. Only for the holder of the lock, before it syncs.
    public func forgetPulls() throws(StoreError) {
        let underWay = try read {
            try connection.count(
                "SELECT EXISTS (SELECT 1 FROM sync_state WHERE pages_read IS NOT NULL)")
        }
        guard underWay == 1 else { return }
        try write(.normal) {
            try connection.run("UPDATE sync_state SET pages_read = NULL, pages_told = NULL")
        }
    }
}
