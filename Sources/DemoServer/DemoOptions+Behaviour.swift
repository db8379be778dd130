import ReferenceAPI
import Text

/// Values of options that have two halves or a choice of forms.
extension DemoOptions {
    /// `5` or `5:link`.
    static func pages(_ value: String) throws(DemoError) -> ReferenceBehaviour.Pages {
        let (size, hint) = halves(value, at: ":")
        return ReferenceBehaviour.Pages(
            size: try integer(size, in: 1...1_000_000, of: .pages),
            hint: try word(hint ?? "none", of: .pages))
    }

    /// `trimmed`, `collapsed` or `cut:255`.
    static func titles(_ value: String) throws(DemoError) -> TitleAlteration {
        switch halves(value, at: ":") {
        case ("trimmed", nil): return .trimmed
        case ("collapsed", nil): return .collapsed
        case ("cut", let length?):
            return .cut(characters: try integer(length, in: 1...1_000_000, of: .titles))
        default:
            throw .usage(
                "--titles takes trimmed, collapsed or cut:N, not '\(ForeignText(value))'")
        }
    }

    /// `5` or `5:10`.
    static func rateLimit(_ value: String) throws(DemoError) -> RateLimit {
        let (rate, wait) = halves(value, at: ":")
        let limit = RateLimit(
            perSecond: try integer(rate, in: 1...1000, of: .rateLimit), retryAfter: nil)
        guard let wait else { return limit }
        return RateLimit(
            perSecond: limit.perSecond,
            retryAfter: try integer(wait, in: 0...86_400, of: .rateLimit))
    }

    /// `3` or `until-next-write`.
    static func lag(_ value: String) throws(DemoError) -> ReferenceBehaviour.Lag {
        if value == "until-next-write" { return .untilNextWrite }
        return .seconds(try integer(value, in: 1...86_400, of: .listLag))
    }

    /// `notes.json`, `link=notes.json` or `link:3=notes.json`.
    static func list(_ value: String) throws(DemoError) -> DemoList {
        let (form, file) = halves(value, at: "=")
        guard let file else { return try DemoList(file: form, paging: .none, size: 1) }
        let (paging, size) = halves(form, at: ":")
        return try DemoList(
            file: file, paging: try word(paging, of: .list),
            size: try integer(size ?? "30", in: 1...1_000_000, of: .list))
    }

    /// `empty-list=0.1`, `403=0.01:2s`.
    static func habit(_ value: String) throws(DemoError) -> MiddleboxHabit {
        let (kind, rest) = halves(value, at: "=")
        let (rate, span) = halves(rest ?? "", at: ":")
        return MiddleboxHabit(
            try word(kind, of: .fault), rate: try probability(rate, of: .fault),
            span: try Self.span(span ?? "once"))
    }

    /// `ignore-update=0.1`, `lag=0.5:20s`.
    static func untruth(_ value: String) throws(DemoError) -> UntruthHabit {
        let (kind, rest) = halves(value, at: "=")
        let (rate, span) = halves(rest ?? "", at: ":")
        let untruth: Untruth = try word(kind, of: .untrue)
        let probability = try probability(rate, of: .untrue)
        guard let span else { return UntruthHabit(untruth, rate: probability) }
        guard span.utf8.last == UInt8(ascii: "s"), let seconds = Int64(span.dropLast()),
            1...86_400 ~= seconds
        else {
            throw .usage(
                "--untrue takes a number of seconds such as 20s, not '\(ForeignText(span))'")
        }
        return UntruthHabit(untruth, rate: probability, seconds: seconds)
    }

    private static func span(_ value: String) throws(DemoError) -> MiddleboxHabit.Span {
        switch value {
        case "once": return .requests(1)
        case "twice": return .requests(2)
        case "for-good": return .forGood
        default:
            guard value.utf8.last == UInt8(ascii: "s"), let seconds = Int64(value.dropLast()),
                1...86_400 ~= seconds
            else {
                throw .usage(
                    "a fault lasts once, twice, for-good or a number of seconds such as 60s, not "
                        + "'\(ForeignText(value))'")
            }
            return .seconds(seconds)
        }
    }

    /// The text before and behind the first `sign`. Not by characters: the sign with a combining
    /// mark behind it is another character.
    static func halves(
        _ text: String, at sign: Unicode.Scalar
    ) -> (first: String, second: String?) {
        let parts = text.unicodeScalars
            .split(separator: sign, maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }
}
