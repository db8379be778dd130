/// Who reads what is written.
public enum Destination: Sendable, Hashable {
    /// A person at a terminal of so many columns.
    case terminal(columns: Int, style: Style)
    /// A program, or a file: nothing is cut, padded or coloured.
    case stream
}
