internal import Store

/// What a title must be, told before anything is written and with its place in the list.
///
/// The cache refuses the same titles by itself; it cannot say which of many it was.
package enum TitleRule {
    package static func check(_ titles: [String]) throws(CommandError) {
        for (index, title) in titles.enumerated() {
            guard let problem = problem(of: title) else { continue }
            let subject = titles.count == 1 ? "the title" : "title \(index + 1)"
            throw .data(
                "\(subject) \(problem)",
                hint: titles.count == 1 ? "Give another title." : "Mend it; nothing was added.")
        }
    }

    private static func problem(of title: String) -> String? {
        if title.isEmpty { return "is empty" }
        if title.allSatisfy(\.isWhitespace) { return "holds nothing but white space" }
        if title.utf8.count > CacheStore.maxTitleBytes {
            return "is \(title.utf8.count) bytes long; \(CacheStore.maxTitleBytes) are allowed"
        }
        return title.utf8.contains(0) ? "holds a NUL character" : nil
    }
}
