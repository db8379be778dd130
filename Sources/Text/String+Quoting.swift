extension String {
    /// The text between two of `quote`, and each of those within it as `escaped`.
    ///
    /// By scalars: where a combining mark follows a quote, the two are one character and no quote to `==`, but
    /// whoever reads the bytes sees the quote.
    public func quoted(by quote: Unicode.Scalar, escaping escaped: String) -> String {
        // Most have none, and SQL has many names.
        guard unicodeScalars.contains(quote) else { return "\(quote)\(self)\(quote)" }
        var text = String.UnicodeScalarView()
        text.append(quote)
        for scalar in unicodeScalars {
            if scalar == quote {
                text.append(contentsOf: escaped.unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        text.append(quote)
        return String(text)
    }
}
