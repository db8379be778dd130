/// What Package.swift says about the rooms, read from its text: a test must not start the package
/// manager that runs it.
struct Manifest {
    /// The targets that are no tests, with the targets that each depends on.
    private(set) var rooms: [String: Set<String>] = [:]
    /// The files given to `.embedInCode`, in order.
    private(set) var embedded: [String] = []

    init(_ text: String) {
        for opening in ["room(", ".systemLibrary(", ".executableTarget("] {
            for call in Self.calls(of: opening, in: text) {
                // The declaration of a function has no literal as its first argument.
                // What lies under Tests is no room of the house.
                guard let match = call.prefixMatch(of: /\s*(?:name:\s*)?"([^"]+)"/),
                    !call.contains("\"Tests/")
                else { continue }
                rooms[String(match.output.1)] = Set(Self.dependencies(in: call))
            }
        }
        for call in Self.calls(of: ".embedInCode(", in: text) {
            embedded += Self.strings(in: call)
        }
    }

    /// The arguments of each call, up to the parenthesis that closes it.
    private static func calls(of opening: String, in text: String) -> [Substring] {
        text.ranges(of: opening).compactMap { range in
            var depth = 1
            var index = range.upperBound
            while index < text.endIndex {
                if text[index] == "(" { depth += 1 }
                if text[index] == ")" { depth -= 1 }
                if depth == 0 { return text[range.upperBound..<index] }
                index = text.index(after: index)
            }
            return nil
        }
    }

    /// The literals of the list that follows the name, or `dependencies:`.
    private static func dependencies(in call: Substring) -> [String] {
        let pattern = /^\s*(?:name:\s*)?"[^"]*",\s*(?:dependencies:\s*)?\[([^\]]*)\]/
        guard let match = call.prefixMatch(of: pattern) else { return [] }
        return strings(in: match.output.1)
    }

    private static func strings(in text: Substring) -> [String] {
        text.matches(of: /"([^"]*)"/).map { String($0.output.1) }
    }
}
