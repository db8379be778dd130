internal import Glibc
internal import Host

/// The file beside a damaged cache that says what became of it.
struct SalvageNote {
    static let suffix = ".txt"
    private static let longest = 16_384

    private let path: String

    /// The one beside the damaged cache at `copy`.
    init(of copy: String) { path = copy + Self.suffix }

    /// Writes it anew, on the disk when it returns.
    func write(_ report: SalvageReport) throws {
        try Snapshot(name: path).write(mode: 0o600, replaces: true) { draft in
            let file = retryingInterrupts { open(draft, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) }
            guard file >= 0 else { throw Snapshot.failure(draft) }
            defer { close(file) }
            let bytes = Array("\(report)\n".utf8.prefix(Self.longest))
            guard retryingInterrupts({ Glibc.write(file, bytes, bytes.count) }) == bytes.count
            else {
                throw Snapshot.failure(draft)
            }
        }
    }

    /// What it says, without the line's end; nil where it cannot be read.
    func read() -> String? {
        let file = retryingInterrupts {
            open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = retryingInterrupts {
            bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        }
        guard count > 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
