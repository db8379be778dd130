/// A stream of JSON values, one a line: what `watch` prints and what a log in JSON is.
public enum JSONLines: Sendable {
    /// `value` as one line with its newline; no newline can stand inside it.
    public static func bytes(of value: JSONValue) -> [UInt8] {
        value.bytes + [UInt8(ascii: "\n")]
    }
}
