internal import Text

/// Rows that are the effects of creates, in a form of the server's own.
extension Adoption {
    /// Whether a row that an answer shows is what was sent, by the columns by which it would be looked for. A row that
    /// nobody knew may differ in moments and JSON, which servers write anew. `isKnown`: its id is that of a row that is
    /// here.
    package func isWhatWasSent(_ sent: [String?], shown: [String?], isKnown: Bool) -> Bool {
        if let mark, let own = sent[mark], let other = shown[mark] {
            if MarkKeeping(sent: own, shown: other) == .kept { return true }
        }
        // A row that was here before has the mark of somebody else.
        guard !isKnown || !hasOthersMark(sent, shown: shown) else { return false }
        let (own, other) = (key(of: sent), key(of: shown))
        func isSame(_ place: Int) -> Bool {
            let (sent, part) = (own[place].inSmallLetters, other[place].inSmallLetters)
            if sent == part { return true }
            return texts.contains(place) && part.unicodeScalars.count >= Self.shortestCut
                && sent.utf8.starts(with: part.utf8)
        }
        if match.indices.allSatisfy(isSame) { return true }
        guard !isKnown, let outline = outline(of: sent) else { return false }
        return outline == self.outline(of: shown)
    }

    /// Whether a row carries a mark that no server makes of the one that was sent, unless it writes its own.
    package func hasOthersMark(_ sent: [String?], shown: [String?]) -> Bool {
        guard let mark, let own = sent[mark], let other = shown[mark] else {
            return false
        }
        return !MarkKeeping.isForm(other, of: own)
    }

    /// The rows of creates that differ from them in moments or JSON alone, which servers write anew, and are equal in a
    /// text. Where there are as many such rows as creates, each is one of them.
    package func formMatches(
        of creates: [OpenOperation], in unowned: [UnownedRow]
    ) -> [OperationSequence: String] {
        guard isByLook, !creates.isEmpty, !unowned.isEmpty else { return [:] }
        let keys = creates.map { outline(of: $0.values) }
        let groups = Dictionary(grouping: creates.indices.filter { keys[$0] != nil }) { keys[$0] }
        guard !groups.isEmpty else { return [:] }
        var rows: [[FoldedValue]: [String]] = [:]
        for row in unowned {
            guard let key = outline(of: row.values), groups[key] != nil else { continue }
            rows[key, default: []].append(row.serverID)
        }
        var found: [OperationSequence: String] = [:]
        for (key, group) in groups {
            guard let key, let rows = rows[key], rows.count == group.count else { continue }
            for (create, row) in zip(group, rows) { found[creates[create].sequence] = row }
        }
        return found
    }

    /// What is the same in every form; nil where no text is, or where nothing has a form.
    private func outline(of values: [String?]) -> [FoldedValue]? {
        var hasText = false
        var hasForm = false
        let key = match.indices.map { place in
            let text = values.indices.contains(match[place]) ? values[match[place]] ?? "" : ""
            if forms.contains(place) || DateTimeText(text) != nil {
                hasForm = true
                return FoldedValue("")
            }
            if texts.contains(place), !text.isEmpty { hasText = true }
            return FoldedValue(text)
        }
        return hasText && hasForm ? key : nil
    }
}
