/// A column of the row that another one refers to: `{list.number}` in the path, a header field or the body of a call.
///
/// Law: it stands for what the server has in that column of that row. What programs have written there and what is not
/// sent yet is no name that the server knows.
public struct ReferredColumn: Sendable, Hashable, CustomStringConvertible {
    /// The column that refers to the row.
    public let column: String
    /// The column of that row.
    public let name: String

    /// As a declaration has it between braces.
    public var description: String { "\(column).\(name)" }
}

extension RowReference {
    /// Where the rows of a list have a column that calls of another list name.
    public struct Field: Sendable, Hashable {
        /// Text, an integer, or an integer in a text.
        public let type: ColumnType
        /// Where it stands in their documents.
        public let path: JSONPath
    }
}

extension Declaration {
    /// What `{text}` names of a row that this one refers to; nil for a column of its own.
    public func referredColumn(_ text: String) -> ReferredColumn? {
        guard column(text) == nil else { return nil }
        return references.lazy.compactMap { column in
            guard text.hasPrefix(column.name + "."), text.count > column.name.count + 1 else {
                return nil
            }
            return ReferredColumn(
                column: column.name, name: String(text.dropFirst(column.name.count + 1)))
        }.first
    }

    /// What the path and the header fields of a call name of rows that its row refers to.
    public func referredColumns(inTextsOf kind: WriteCall.Kind) -> [ReferredColumn] {
        referred(
            calls(of: kind).flatMap { [$0.path] + $0.headers.map(\.value) }.flatMap(\.columns))
    }

    /// The same of its body.
    public func referredColumns(inBodyOf kind: WriteCall.Kind) -> [ReferredColumn] {
        referred(calls(of: kind).flatMap { $0.body?.columns ?? [] })
    }

    /// What is frozen with the intent of such a call.
    public func referredColumns(sentBy kind: WriteCall.Kind) -> [ReferredColumn] {
        switch kind {
        case .create:
            unique(referredColumns(inTextsOf: .create) + referredColumns(inBodyOf: .create))
        case .update: referredColumns(inBodyOf: .update)
        case .delete: []
        }
    }

    /// What is needed of the row that the server has below another one, whatever it is to be below.
    public var knownReferredColumns: [ReferredColumn] {
        unique(
            referredColumns(inTextsOf: .update) + referredColumns(inTextsOf: .delete)
                + referredColumns(inBodyOf: .update))
    }

    /// What the path of a read names of a row, beside its id.
    public var readNames: [String] {
        guard let read else { return [] }
        return read.path.columns
            + (read.body?.columns ?? []).filter { !read.path.columns.contains($0) }
    }

    /// Every one that a call names, by the column that refers to the row.
    func referredNames(by column: String) -> [ReferredColumn] {
        unique(
            WriteCall.Kind.allCases.flatMap {
                referredColumns(inTextsOf: $0) + referredColumns(inBodyOf: $0)
            } + referred(readNames)
        ).filter { $0.column == column }
    }

    private func referred(_ names: [String]) -> [ReferredColumn] {
        unique(names.compactMap(referredColumn))
    }

    private func unique(_ names: [ReferredColumn]) -> [ReferredColumn] {
        var seen: Set<ReferredColumn> = []
        return names.filter { seen.insert($0).inserted }
    }
}
