/// What a Swift file introduces, and whether its name and length are right.
struct FileShape {
    var path: String
    var source: SwiftCode

    init(path: String, source: SwiftCode) {
        self.path = path
        self.source = source
    }

    init(path: String, text: String) { self.init(path: path, source: SwiftCode(text)) }

    /// The types declared at the top of the file, in order.
    var types: [String] {
        declarations(
            /^(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated|@\w+(?:\([^)]*\))?)\s+)*(?:struct|enum|class|actor|protocol|typealias)\s+(\w+)/
        )
    }

    /// The functions declared at the top of the file.
    var functions: [String] {
        declarations(
            /^(?:(?:public|package|internal|private|fileprivate|nonisolated|@\w+)\s+)*func\s+(\w+)/)
    }

    private func declarations(_ pattern: Regex<(Substring, Substring)>) -> [String] {
        source.code.compactMap { line in
            guard let first = line.utf8.first, first != 0x20, first != 0x7D else { return nil }
            return line.prefixMatch(of: pattern).map { String($0.output.1) }
        }
    }

    /// `CacheStore` for `CacheStore+Outbox.swift`.
    private var name: (type: String, isAspect: Bool) {
        let file = path.split(separator: "/").last ?? ""
        let parts = file.dropLast(".swift".count).split(separator: "+")
        return (String(parts.first ?? ""), parts.count > 1)
    }

    /// A file bears the name of a type, or of the free function, that it introduces;
    /// `Type+Aspect.swift` extends the type; `main.swift` is free.
    func nameFindings() -> [Finding] {
        guard !path.hasSuffix("/main.swift"), !path.hasSuffix("/Placeholder.swift") else {
            return []
        }
        let (type, isAspect) = name
        let isExtended = source.code.contains {
            $0.contains("extension ")
                && $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                    .contains { $0 == type }
        }
        let isRight =
            isAspect
            ? isExtended || types.contains(type)
            : types.contains(type)
                || functions.contains { $0.lowercased() == type.lowercased() }
        guard !isRight else { return [] }
        let found = types.isEmpty ? "no type" : types.joined(separator: ", ")
        return [
            Finding(
                file: path, line: 1,
                problem: isAspect ? "nothing here extends \(type)" : "it introduces \(found)",
                remedy: isAspect
                    ? "Name the file after the type it extends, Type+Aspect.swift"
                    : "Name the file after its type, or split it")
        ]
    }

    /// Fewer than `limit` lines.
    func lengthFindings(limit: Int) -> [Finding] {
        let count = source.lines.last == "" ? source.lines.count - 1 : source.lines.count
        guard count >= limit else { return [] }
        return [
            Finding(
                file: path, line: count, problem: "\(count) lines, \(limit - 1) are allowed",
                remedy: "Split it by what it is about, Type+Aspect.swift")
        ]
    }
}
