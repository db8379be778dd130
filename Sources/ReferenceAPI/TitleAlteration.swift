/// What a service may do to a title before it stores it.
public enum TitleAlteration: Sendable, Hashable {
    case none
    /// White space at both ends goes.
    case trimmed
    /// As ``trimmed``, and each run of white space inside becomes one space.
    case collapsed
    /// Control characters go.
    case withoutControls
    /// Only the first characters stay: more than a client's folding can see through.
    case cut(characters: Int)

    /// The title that is stored for `title`.
    public func callAsFunction(_ title: String) -> String {
        switch self {
        case .none:
            return title
        case .trimmed:
            let start = title.drop { $0.isWhitespace }
            guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
            return String(start[...last])
        case .collapsed:
            return title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .withoutControls:
            let kept = title.unicodeScalars.filter { $0.properties.generalCategory != .control }
            return String(String.UnicodeScalarView(kept))
        case .cut(let characters):
            return String(title.prefix(max(0, characters)))
        }
    }
}
