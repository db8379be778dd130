internal import Glibc

/// What is in a directory.
public enum DirectoryListing: Sendable {
    /// The names in the directory at `path`, without `.` and `..`, sorted by their bytes.
    ///
    /// - Throws: ``FileError/missing(_:)`` and others where it cannot be read.
    public static func names(in path: String) throws(FileError) -> [String] {
        try FileError.checkPath(path, mustBeAbsolute: false)
        guard let stream = openedDirectory(path) else { throw FileError.last("opendir", path) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // The end and a failure look alike but for errno.
            errno = 0
            guard let entry = readdir(stream) else { break }
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        guard errno == 0 else { throw FileError.last("readdir", path) }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}
