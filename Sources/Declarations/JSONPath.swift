internal import Text

/// A place in a JSON document, in a small part of JSONPath's grammar: `$`, `.name`, `['any text']` and
/// `[0]`, and nothing that stands for several places.
///
/// Source: RFC 9535 §2.3, name and index selectors.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// One step down.
    public enum Step: Sendable, Hashable {
        /// Into an object.
        case member(String)
        /// Into a list, counted from 0.
        case element(Int)
    }

    /// From the document's root; at most ``stepLimit``.
    public let steps: [Step]

    /// How deep a path may lead.
    public static let stepLimit = 8
    /// The largest number of an element.
    static let elementLimit = 999_999

    /// The document itself.
    public static let root = JSONPath(steps: [])

    /// The path of steps that were checked.
    package init(steps: [Step]) { self.steps = steps }

    /// Reads a path as a declaration has it.
    ///
    /// A name holds no quotation mark, backslash or control character, because SQLite compares the
    /// names of a document as they are written there.
    ///
    /// - Throws: ``JSONPathError`` with the place where it stops being a path.
    public init(_ text: String) throws(JSONPathError) {
        var reader = JSONPathReader(text)
        steps = try reader.steps()
    }

    /// The names of its steps; nil where one of them leads into a list.
    public var names: [String]? {
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step else { return nil }
            names.append(name)
        }
        return names
    }

    /// As a declaration has it.
    public var description: String {
        steps.reduce(into: "$") { text, step in
            switch step {
            case .member(let name) where Self.isPlain(name): text += ".\(name)"
            case .member(let name):
                text += "[\(name.quoted(by: "'", escaping: "\\'"))]"
            case .element(let number): text += "[\(number)]"
            }
        }
    }

    /// As SQLite's JSON functions take it, every name quoted: `$."name"[0]`.
    ///
    /// Source: https://www.sqlite.org/json1.html#path_arguments
    public var sqliteText: String {
        steps.reduce(into: "$") { text, step in
            switch step {
            case .member(let name): text += ".\"\(name)\""
            case .element(let number): text += "[\(number)]"
            }
        }
    }

    /// Whether `name` may stand behind a full stop: letters, digits and `_` of ASCII, no digit first.
    static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
            default: false
            }
        }
    }
}

/// Why a text is no path.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The character where it stops being one, counted from 1.
    public let column: Int
    /// What is wrong there.
    public let problem: String

    /// `character 3: a name is due here`.
    public var description: String { "character \(column): \(problem)" }
}

private struct JSONPathReader {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func steps() throws(JSONPathError) -> [JSONPath.Step] {
        guard take("$") else { throw error("a path begins with $") }
        var steps: [JSONPath.Step] = []
        while index < scalars.count {
            guard steps.count < JSONPath.stepLimit else {
                throw error("a path has at most \(JSONPath.stepLimit) steps")
            }
            if take(".") {
                steps.append(.member(try plainName()))
            } else if take("[") {
                steps.append(try bracket())
                guard take("]") else { throw error("] is due here") }
            } else {
                throw error("a full stop or [ is due here")
            }
        }
        return steps
    }

    private mutating func plainName() throws(JSONPathError) -> String {
        var name = ""
        while index < scalars.count, JSONPath.isPlain("_\(scalars[index])") {
            name.unicodeScalars.append(scalars[index])
            index += 1
        }
        guard JSONPath.isPlain(name) else {
            throw error(
                "a name of letters, digits and _ is due here; write another one as ['name']")
        }
        return name
    }

    private mutating func bracket() throws(JSONPathError) -> JSONPath.Step {
        guard take("'") else { return .element(try number()) }
        var name = ""
        while index < scalars.count, scalars[index] != "'" {
            if take("\\") {
                guard index < scalars.count, scalars[index] == "'" else {
                    throw error("a name holds no backslash, except in \\'")
                }
            }
            let scalar = scalars[index]
            guard scalar != "\"", scalar.value >= 0x20, scalar.value != 0x7F else {
                throw error("a name holds no quotation mark and no control character")
            }
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard take("'") else { throw error("' is due here") }
        guard !name.isEmpty else { throw error("a name must not be empty") }
        return .member(name)
    }

    private mutating func number() throws(JSONPathError) -> Int {
        var digits = ""
        while index < scalars.count, ("0"..."9").contains(scalars[index]), digits.utf8.count < 7 {
            digits.unicodeScalars.append(scalars[index])
            index += 1
        }
        guard let number = Int(digits), String(number) == digits, number <= JSONPath.elementLimit
        else { throw error("a number of an element or 'name' is due here") }
        return number
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard index < scalars.count, scalars[index] == scalar else { return false }
        index += 1
        return true
    }

    private func error(_ problem: String) -> JSONPathError {
        JSONPathError(
            column: index + 1,
            problem: index < scalars.count ? problem : problem.replacing("here", with: "at the end")
        )
    }
}
