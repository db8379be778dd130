public import ReferenceAPI
import Text

/// A list of any rows that the demo server serves.
public struct DemoList: Sendable, Hashable {
    /// What stands behind `/lists/` in its path: the file's name without `.json`.
    public let name: String
    /// The file with a JSON array.
    public let file: String
    /// How the list comes in several answers.
    public let paging: ReferenceList.Paging
    /// Rows a page.
    public let size: Int

    /// - Throws: ``DemoError/usage(_:)`` where the file has no name that a path can have.
    init(file: String, paging: ReferenceList.Paging, size: Int) throws(DemoError) {
        let last = file.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let name = last.hasSuffix(".json") ? last.dropLast(5) : last
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isAllowed) else {
            throw .usage(
                "--list takes a file whose name has only letters, digits, - and _, not "
                    + "'\(ForeignText(file))'")
        }
        self.name = String(name)
        self.file = file
        self.paging = paging
        self.size = size
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
