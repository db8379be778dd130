extension Declaration {
    /// What a person calls the text that names a thing, the most telling first.
    private static let usualLabels = [
        "title", "name", "subject", "summary", "label", "text", "description",
    ]

    /// The column that names a row where it is told of: the one that the declaration says, else the first required text,
    /// else a text with a usual name. Nil: the row's id names it.
    public var labelColumn: Column? {
        if let label { return column(label) }
        let texts = columns.filter { $0.field?.type == .text }
        if let required = texts.first(where: \.isRequired) { return required }
        for name in Self.usualLabels {
            if let found = texts.first(where: { $0.name.lowercased() == name }) { return found }
        }
        return nil
    }
}
