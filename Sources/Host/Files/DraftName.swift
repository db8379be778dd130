internal import Glibc

/// The hidden names under which a process writes a file before it gives it the name that counts.
///
/// They hold the number of the process. So two processes can write one file at once, and the rest
/// that a killed process left can be told from a draft that is being written.
public struct DraftName: Sendable, Hashable {
    private let prefix: String

    /// The drafts of the file `name`, a single name in some directory.
    public init(of name: String) { prefix = ".\(name)." }

    /// One of the names that are this process's own.
    public func candidate(_ number: Int) -> String {
        "\(prefix)\(getpid()).\(number)\(Self.suffix)"
    }

    /// Removes what processes that are gone have left of this file; best effort, because it is
    /// litter and nothing else.
    ///
    /// - Parameter directory: The path of the file's directory.
    public func removeLeftovers(in directory: String) {
        guard let stream = openedDirectory(directory) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let process = writer(of: name), kill(process, 0) == -1, errno == ESRCH else {
                continue
            }
            unlinkat(dirfd(stream), name, 0)
        }
    }

    private static let suffix = ".draft"

    /// The process that has written the draft `name`, or its journal; nil for any other file.
    private func writer(of name: String) -> pid_t? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        guard let point = rest.firstIndex(of: UInt8(ascii: ".")),
            let process = pid_t(String(rest[..<point]) ?? ""), process > 0,
            let end = rest[point...].dropFirst().firstIndex(of: UInt8(ascii: ".")),
            Int(String(rest[point..<end].dropFirst()) ?? "") != nil,
            [Self.suffix, Self.suffix + "-journal"].contains(String(rest[end...]))
        else { return nil }
        return process
    }
}
