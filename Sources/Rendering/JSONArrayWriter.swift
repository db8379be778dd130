/// One JSON document that is an array, written element by element, for lists that are not held in
/// memory whole.
///
/// What ``add(_:)`` returned, in order, and then what ``end()`` returned are together one valid
/// document. Without ``end()`` they are none, which a reader notices: whoever stops half-way ends
/// with an error code.
public struct JSONArrayWriter: ~Copyable {
    private var isEmpty = true

    /// An array without elements so far.
    public init() {}

    /// The bytes that add `element` to the array.
    public mutating func add(_ element: JSONValue) -> [UInt8] {
        let opening: [UInt8] = isEmpty ? [UInt8(ascii: "[")] : [UInt8(ascii: ","), 0x0A]
        isEmpty = false
        return opening + element.bytes
    }

    /// The bytes that end the document.
    public consuming func end() -> [UInt8] {
        Array((isEmpty ? "[]\n" : "]\n").utf8)
    }
}

@available(*, unavailable) extension JSONArrayWriter: Sendable {}
