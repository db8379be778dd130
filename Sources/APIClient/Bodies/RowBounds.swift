internal import Text

/// How large the rows of a body are: the elements of a list that stands in no other list. A reader
/// makes a tree of each of them, which takes many times its bytes.
struct RowBounds {
    /// The largest row, in bytes; also the most that may stand outside the rows.
    static let mostBytes = RowLimits.bytes
    /// The most keys that a row has, those of objects within it counted; also outside the rows.
    static let mostKeys = RowLimits.members
    /// The most rows, over all lists of a body. A reader's tree takes sixteen bytes for the smallest.
    static let mostRows = 2_000_000

    /// The rows that are larger, in their order.
    private(set) var oversized: [Range<Int>] = []
    /// How many objects and arrays are open in the list, it among them; nil outside.
    private var depthOfList: Int?
    private var start = 0
    private var keys = 0
    private var keysOutside = 0
    private var commas = 0
    private var bytesInRows = 0

    /// An object or array was opened at `index` as the one number `depth` within each other.
    mutating func open(isArray: Bool, depth: Int, at index: Int) {
        guard isArray, depthOfList == nil else { return }
        depthOfList = depth
        begin(at: index + 1)
    }

    mutating func noteKey() {
        if depthOfList == nil { keysOutside += 1 } else { keys += 1 }
    }

    /// A comma at `index`, with so many objects and arrays open. Throws
    /// ``BodyCheckError/tooManyRows(limit:)`` where a row too many begins.
    mutating func separate(depth: Int, at index: Int) throws(BodyCheckError) {
        guard depth == depthOfList else { return }
        commas += 1
        guard commas < Self.mostRows else { throw .tooManyRows(limit: Self.mostRows) }
        endRow(at: index)
        // The comma counts with its row: two million of them are more than may stand outside.
        bytesInRows += 1
        begin(at: index + 1)
    }

    /// What was opened as number `depth` ends at `index`.
    mutating func close(depth: Int, at index: Int) {
        guard depth == depthOfList else { return }
        endRow(at: index)
        depthOfList = nil
    }

    /// The body ends after `count` bytes. Returns whether what stands outside the rows is small enough.
    mutating func end(at count: Int) -> Bool {
        if depthOfList != nil { endRow(at: count) }
        return count - bytesInRows <= Self.mostBytes && keysOutside <= Self.mostKeys
    }

    private mutating func begin(at index: Int) {
        start = index
        keys = 0
    }

    private mutating func endRow(at index: Int) {
        bytesInRows += index - start
        if index - start > Self.mostBytes || keys > Self.mostKeys {
            oversized.append(start..<index)
        }
    }
}
