/// What an answer tells of a longer list, of which it is one page.
///
/// A total only ever makes a pull less complete: servers tell wrong ones, too.
/// Source: RFC 8288 §3.3 (`rel="next"`), RFC 9110 §14.4 (`Content-Range` with a unit of rows);
/// `X-Total-Count` has no standard.
public struct ListExtent: Sendable, Hashable {
    /// How many rows there are in all; nil where the answer does not say.
    public var total: Int64?
    /// The answer names a next page.
    public var hasNext: Bool

    /// What an answer tells.
    public init(total: Int64?, hasNext: Bool) {
        self.total = total
        self.hasNext = hasNext
    }

    /// An answer that tells nothing.
    public static let untold = ListExtent(total: nil, hasNext: false)

    /// What the header of `response` tells; what cannot be read tells nothing.
    init(of response: HTTPResponse) {
        let totals =
            response.fields.filter { $0.isNamed("x-total-count") }.map(\.value)
            + response.fields.filter { $0.isNamed("content-range") }.map(\.value)
            .compactMap(Self.size)
        total = totals.compactMap(Self.count).max()
        hasNext = response.fields.contains { $0.isNamed("link") && Self.namesNext($0.value) }
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

    /// Whether one of the links, each `<URL>; name=value; …`, has `next` among its relations.
    private static func namesNext(_ value: String) -> Bool {
        value.utf8.split(separator: UInt8(ascii: "<")).contains { link in
            guard let end = link.firstIndex(of: UInt8(ascii: ">")) else { return false }
            return link[link.index(after: end)...].split { $0 == UInt8(ascii: ";") }
                .contains { isNext($0) }
        }
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
