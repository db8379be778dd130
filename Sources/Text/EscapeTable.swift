/// What is shown as an escape, on every medium: the one table, asked scalar by scalar.
///
/// It is made of properties that the standard library knows, not of numbers: so a list of ours cannot
/// lag behind Unicode, and cannot differ from another list of ours. Always escaped are
///
/// - controls (C0, C1, DEL) and the line and paragraph separators: a terminal obeys them, and they end a line;
/// - format characters: they turn the direction of writing, or say something that nobody sees (tags, the
///   soft hyphen, marks of an annotation);
/// - other default ignorables (fillers, selectors of variants): nothing is drawn for them;
/// - noncharacters: no text holds one.
///
/// Depending on the scalar before are
///
/// - marks: at the start they would join a sign of ours, such as a quote;
/// - the joiners U+200C and U+200D: Persian, Indic words and emoji need them, behind a letter or sign outside
///   ASCII and never two in a row;
/// - the selectors U+FE0E and U+FE0F, which show a sign as text or as emoji: behind an emoji.
///
/// Those three move and hide nothing there, so they stay: a family or a heart is shown as one sign. A flag
/// of England is a black flag with tags, and is shown as that. What Unicode has not assigned yet stays, too.
///
/// Source: the Unicode Standard §5.21 and §23, UAX #9 §2, UTS #51 §1.4.
public struct EscapeTable: Sendable {
    /// The scalar before, if it is shown as it is; nil at the start and behind an escape.
    private var shown: Unicode.Scalar?

    /// A table that was asked about nothing yet: the next scalar is the first of its text.
    public init() {}

    /// Whether `scalar` is shown as an escape; asked about each scalar of a text, in their order.
    public mutating func escapes(_ scalar: Unicode.Scalar) -> Bool {
        let isEscaped = Self.escapes(scalar, after: shown)
        shown = isEscaped ? nil : scalar
        return isEscaped
    }

    private static func escapes(
        _ scalar: Unicode.Scalar, after shown: Unicode.Scalar?
    ) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF: return false
        case 0x200C, 0x200D:
            guard let shown else { return true }
            return shown.isASCII || shown.value == 0x200C || shown.value == 0x200D
        case 0xFE0E, 0xFE0F: return shown?.properties.isEmoji != true
        default: break
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: return true
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return shown == nil || properties.isDefaultIgnorableCodePoint
        default: return properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }
}
