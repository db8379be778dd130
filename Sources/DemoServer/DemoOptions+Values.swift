import ReferenceAPI
import Text

/// Values of options that are numbers or words.
extension DemoOptions {
    static func integer<Number: FixedWidthInteger>(
        _ value: String, in range: ClosedRange<Number>, of name: Name
    ) throws(DemoError) -> Number {
        guard let number = Number(value), range.contains(number) else {
            throw .usage(
                "--\(name.rawValue) takes a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound), not '\(ForeignText(value))'")
        }
        return number
    }

    static func probability(_ value: String, of name: Name) throws(DemoError) -> Double {
        guard let number = Double(value), (0...1).contains(number) else {
            throw .usage(
                "--\(name.rawValue) takes a number from 0 to 1, not '\(ForeignText(value))'")
        }
        return number
    }

    /// One of the words of a type.
    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: String, of name: Name
    ) throws(DemoError) -> Word {
        guard let word = Word(rawValue: value) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--\(name.rawValue) takes \(words), not '\(ForeignText(value))'")
        }
        return word
    }
}
