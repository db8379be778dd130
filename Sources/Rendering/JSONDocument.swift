/// One whole JSON document, ended by a newline: what `--json` prints.
public struct JSONDocument: Sendable, Hashable {
    /// The document's value, mostly an object or an array.
    public var value: JSONValue

    /// A document of `value`.
    public init(_ value: JSONValue) {
        self.value = value
    }

    /// The document; nothing else may be written to the same output.
    public var bytes: [UInt8] { value.bytes + [UInt8(ascii: "\n")] }
}
