/// What an answer tells of a longer list, of which it is one page.
///
/// A total only ever makes a pull less complete: servers tell wrong ones, too.
/// Source: RFC 8288 §3.3 (`rel="next"`), RFC 9110 §14.4 (`Content-Range` with a unit of rows);
/// `X-Total-Count` has no standard.
public struct ListExtent: Sendable, Hashable {
    /// How many rows there are in all; nil where the answer does not say.
    public var total: Int64?
    /// The address of the next page, as the answer has it; nil where it names none.
    public var next: String?

    /// The numbers in the header fields that were asked for, under their names.
    public var named: [String: Int64]

    /// The texts in those fields, as they came; none that a cache should not keep.
    package var texts: [String: String] = [:]
    /// When the server answered, as it says: a date as HTTP writes it, or anything else.
    package var date: String?

    /// For how many seconds at most a cache has kept the answer, as it says. It tells whole seconds, rounded down; 0:
    /// no cache has kept it. Source: RFC 9111 §5.1.
    package var age: Int64 = 0

    /// No cache that anybody uses keeps a list longer than a year.
    private static let longestAge: Int64 = 366 * 86_400

    /// What an answer tells.
    public init(total: Int64?, next: String?, named: [String: Int64] = [:]) {
        self.total = total
        self.next = next
        self.named = named
    }

    /// An answer that tells nothing.
    public static let untold = ListExtent(total: nil, next: nil)

    /// What the header of `response` tells, in the fields `names`, too; what cannot be read tells nothing.
    package init(of response: HTTPResponse, naming names: [String] = []) {
        named = [:]
        let told = min(response.value(of: "Age").flatMap(Self.count) ?? 0, Self.longestAge)
        age = told == 0 ? 0 : told + 1
        date = response.value(of: "Date")
        for name in names {
            let value = response.value(of: name)
            texts[name] = value.flatMap(Self.text)
            named[name] = value.flatMap { Self.count(Self.size(ofRange: $0) ?? $0) }
        }
        let totals =
            response.fields.filter { $0.isNamed("x-total-count") }.map(\.value)
            + response.fields.filter { $0.isNamed("content-range") }.map(\.value)
            .compactMap(Self.size)
        total = totals.compactMap(Self.count).max()
        next =
            response.fields.lazy.filter { $0.isNamed("link") }
            .compactMap { Self.next(in: $0.value) }.first
            ?? response.value(of: "Next-Page").flatMap(Self.address)
    }

    /// Whether a `Content-Range` says that the answer has some rows of so many: without a unit, or with one
    /// other than `bytes`, which nobody asked for.
    static func isPage(_ response: HTTPResponse) -> Bool {
        let ranges = response.fields.filter { $0.isNamed("content-range") }.map(
            \.value.trimmedHeader)
        guard ranges.count == 1, let total = size(ofRange: ranges[0]) else { return false }
        return count(total) != nil && !ranges[0].lowercased().hasPrefix("bytes")
    }

    /// A value that can be sent back: printable, and of at most 1 KiB.
    private static func text(_ value: String) -> String? {
        let text = value.trimmedHeader
        return (1...EntityTag.maxBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
    }

    /// What stands behind the slash of `items 0-24/319`.
    private static func size(ofRange value: String) -> String? {
        value.utf8.lastIndex(of: UInt8(ascii: "/")).map {
            String(value[value.utf8.index(after: $0)...])
        }
    }

    /// At most 15 digits: no list is longer.
    private static func count(_ text: String) -> Int64? {
        let digits = text.trimmedHeader
        guard (1...15).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(digits)
    }

    /// The value of a header that has an address; others have the number of the next page there.
    private static func address(_ value: String) -> String? {
        let text = value.trimmedHeader
        return text.utf8.contains(UInt8(ascii: "/")) || text.utf8.first == UInt8(ascii: "?")
            ? text : nil
    }

    /// The URL of the first link, each `<URL>; name=value; …`, that has `next` among its relations.
    private static func next(in value: String) -> String? {
        for link in value.utf8.split(separator: UInt8(ascii: "<")) {
            guard let end = link.firstIndex(of: UInt8(ascii: ">")) else { continue }
            let parameters = link[link.index(after: end)...].split { $0 == UInt8(ascii: ";") }
            if parameters.contains(where: { isNext($0) }) { return String(Substring(link[..<end])) }
        }
        return nil
    }

    /// Whether a parameter is `rel=next` or `rel="… next …"`; the last one ends with a comma.
    private static func isNext(_ parameter: Substring.UTF8View.SubSequence) -> Bool {
        let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard parts.count == 2, String(Substring(parts[0])).trimmedHeader.lowercased() == "rel"
        else { return false }
        return parts[1].split { " \t\",".utf8.contains($0) }
            .contains { String(Substring($0)).lowercased() == "next" }
    }
}
