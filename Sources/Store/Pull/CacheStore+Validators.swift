internal import Declarations
internal import Rules
internal import SQLite
public import Tables

/// Which version of each page the cache holds.
extension CacheStore {
    /// The version of a page that the cache holds whole; nil where it has to be read again.
    public func storedPage(url: String, of table: ListTable) throws(StoreError) -> StoredValidators?
    {
        try read {
            try ListSchema(connection: connection).requireMade(from: table)
            return try connection.first(table.storedPage, .text(url)) {
                var stored = StoredValidators(
                    entityTag: $0.textOrNil(0), lastModified: $0.textOrNil(1))
                stored.rowsOfLast = $0.integerOrNil(2)
                return stored
            }
        }
    }

    /// The ids of the rows of each page that is kept, as a JSON list, by its URL.
    func keys(of pages: [PublishedPage], _ table: ListTable) throws -> [String: String] {
        // One answer that programs write to is unchanged as a whole: its rows are confirmed and not staged.
        let isConfirmed = table.writePull != nil && table.declaration.isOneAnswer
        // A page with a row that the table does not have is read anew: its rows are counted.
        let others = Set(
            try table.condition.map {
                try connection.all($0.pages) { Int(clamping: $0.integer(0)) }
            }
                ?? [])
        let keys = try pages.filter {
            $0.isKept && (isConfirmed || !others.contains($0.number))
        }.map { page in
            if isConfirmed { return (page.url, "[]") }
            let keys = try connection.first(table.keysOfPage, .integer(page.number)) { $0.text(0) }
            return (page.url, keys ?? "[]")
        }
        return Dictionary(keys) { $1 }
    }

    /// Keeps the validators of pages, with the `keys` of their rows by their URLs; forgets all others of the list.
    func keep(
        _ pages: [PublishedPage], _ keys: [String: String], of table: ListTable
    ) throws {
        try keepEach(pages, keys, of: table, part: nil)
        // The one answer has the same address as long as the declaration has.
        guard !table.declaration.isOneAnswer else { return }
        try connection.run(table.forgetPages, .text(Self.list(of: pages.map(\.url))), .null)
    }

    /// The same of the parts that were read; those of other parts stay.
    func keep(_ parts: PartsPull, _ keys: [String: String], of table: ListTable) throws {
        for read in parts.read {
            let part = read.part.name
            try keepEach(
                read.pages, read.pullsToLeave == nil ? [:] : keys, of: table, part: part)
            try connection.run(
                table.forgetPages, .text(Self.list(of: read.pages.map(\.url))), .text(part))
        }
    }

    private func keepEach(
        _ pages: [PublishedPage], _ keys: [String: String], of table: ListTable, part: String?
    ) throws {
        for page in pages {
            guard let keys = keys[page.url] else {
                try connection.run("DELETE FROM validator WHERE url = ?", .text(page.url))
                continue
            }
            try connection.run(
                table.keepPage, .text(page.url), .text(page.validators.entityTag),
                .text(page.validators.lastModified), .text(keys), .text(page.facts.next),
                page.facts.totalPages.map { .integer($0) } ?? .null,
                page.facts.totalRows.map { .integer($0) } ?? .null, .text(part))
        }
    }

    /// URLs hold no character that JSON would escape: they are percent-encoded.
    private static func list(of urls: [String]) -> String {
        "[" + urls.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
}
