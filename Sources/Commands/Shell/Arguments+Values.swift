package import CommandLine
internal import Text

extension Arguments {
    /// The same error as a command's.
    func usage(_ text: String) -> CommandError { .usage(error(text)) }

    /// A whole number from 1, written in the one way that there is.
    static func positiveInteger(_ text: String) -> Int64? {
        guard let number = Int64(text), number > 0, String(number) == text else { return nil }
        return number
    }

    /// The value of `option` as a whole number from 1; nil where it is not given.
    package func positiveInteger(_ option: String) throws(CommandError) -> Int64? {
        guard let text = values[option] else { return nil }
        guard let number = Self.positiveInteger(text) else {
            throw usage("--\(option) takes a whole number from 1, not ‘\(Self.shown(text))’")
        }
        return number
    }

    /// The value of `option` as a revision of the change log, from 0.
    func revision(_ option: String) throws(CommandError) -> Int64? {
        guard let text = values[option] else { return nil }
        if text == "0" { return 0 }
        guard let number = Self.positiveInteger(text) else {
            throw usage("--\(option) takes a whole number from 0, not ‘\(Self.shown(text))’")
        }
        return number
    }

    /// The value of `option` as a duration; a bare number counts seconds.
    package func duration(_ option: String) throws(CommandError) -> Duration? {
        guard let text = values[option] else { return nil }
        if let seconds = Self.positiveInteger(text), seconds <= 10_000 * 86_400 {
            return .seconds(seconds)
        }
        do throws(DurationTextError) {
            let duration = try HumanTime.duration(text)
            guard duration > .zero else { throw .notADuration }
            return duration
        } catch {
            let shown = Self.shown(text)
            throw usage("--\(option): ‘\(shown)’ \(error); write one such as 90s or 1h30m")
        }
    }

    /// The value of `option` as a day, `YYYY-MM-DD`; `today` is the one that it is now.
    package func day(_ option: String, today: String) throws(CommandError) -> String? {
        guard let text = values[option] else { return nil }
        if text == "today" { return today }
        guard text.utf8.count == 10, HumanTime.milliseconds(iso: text) != nil else {
            throw usage(
                "--\(option) takes a day as YYYY-MM-DD, or today, not ‘\(Self.shown(text))’")
        }
        return text
    }

    /// Every operand as an id, each once: strict, because a script's mistake must not remove another
    /// row.
    package func identifiers(_ words: [String]) throws(CommandError) -> [Int64] {
        var numbers: [Int64] = []
        var seen: Set<Int64> = []
        for word in words {
            guard let number = Self.positiveInteger(word) else {
                throw usage(
                    "‘\(Self.shown(word))’ is not an id: `\(command)` takes whole numbers from 1")
            }
            if seen.insert(number).inserted { numbers.append(number) }
        }
        return numbers
    }
}
