/// The paths of this repository that a document names.
enum DocumentPaths {
    /// Paths in backticks and in links to files beside the document, with their lines. Text
    /// between fences is shell, not prose, and left out.
    static func named(in text: String) -> [(line: Int, path: String)] {
        var isFenced = false
        var named: [(Int, String)] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isFenced.toggle() }
            if isFenced { continue }
            let quoted = line.matches(of: /`([^`]+)`/).compactMap { path(of: $0.output.1) }
            let linked = line.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map { String($0.output.1) }
            named += (quoted + linked).map { (index + 1, $0) }
        }
        return named
    }

    /// The path in a piece of quoted text, or nil where it names something else.
    private static func path(of quoted: Substring) -> String? {
        var word = quoted.split(separator: " ").first ?? ""
        if word.hasPrefix("./") { word = word.dropFirst(2) }
        guard word.wholeMatch(of: /\.?[A-Za-z0-9_+\-]+(?:[.\/][A-Za-z0-9_+\-]+)*\/?/) != nil else {
            return nil
        }
        let isSource = word.contains(/\.(?:swift|md|sql)$/)
        let folders: Set<Substring> = [
            "Sources", "Tests", "Migrations", "scripts", "docs", ".ci", "systemd", "packaging",
        ]
        let isBelowFolder = word.contains("/") && folders.contains(word.prefix { $0 != "/" })
        return isSource || isBelowFolder ? String(word) : nil
    }
}
