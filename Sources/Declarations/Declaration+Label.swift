extension Declaration {
    /// What a person calls the text that names a thing, the most telling first.
    package static let usualLabels = [
        "title", "name", "subject", "summary", "label", "text", "description",
    ]

    /// The column that names a row where it is told of: the one that the declaration says. Else it is a required text,
    /// one of a usual name before others. Else it is any text of a usual name. Nil: the row's id names it.
    public var labelColumn: Column? {
        if let label { return column(label) }
        let texts = columns.filter { $0.field?.type == .text }
        let required = texts.filter(\.isRequired)
        return Self.usual(among: required) ?? required.first ?? Self.usual(among: texts)
    }

    private static func usual(among columns: [Column]) -> Column? {
        usualLabels.lazy.compactMap { name in columns.first { $0.name.lowercased() == name } }.first
    }
}
