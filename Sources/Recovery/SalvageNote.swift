internal import Host
internal import Store

/// The file beside a damaged cache that says what became of it.
struct SalvageNote {
    static let suffix = ".txt"
    private static let longest = 16_384

    private let path: String

    /// The one beside the damaged cache at `copy`.
    init(of copy: String) { path = copy + Self.suffix }

    /// Writes it anew, on the disk when it returns.
    func write(_ report: SalvageReport) throws {
        try DraftedFile(path).write(
            Array("\(report)\n".utf8.prefix(Self.longest)), mode: 0o600)
    }

    /// What it says, without the line's end; nil where it cannot be read.
    func read() -> String? {
        // Whatever stands there instead of a note of ours says nothing.
        guard let bytes = try? SmallFile(path: path, limit: Self.longest).read() else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
