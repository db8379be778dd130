internal import Glibc
internal import Host
internal import SQLite

/// The bytes of a damaged cache: its pages as the last commit left them, read without SQLite.
///
/// Nobody else may commit meanwhile. The descriptors stay open as long as the value: the close of
/// one would drop the locks of this process's connections to the file
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
final class DamagedFile {
    private let path: String
    private var descriptors: [Int32] = []
    private var pages: [UInt8] = []
    /// Commits stand in the log that SQLite does not read, or the pages do not fit each other.
    let isPatched: Bool

    private static let pageSize = WriteAheadLog.pageSize

    /// Reads the file and its log; a part that the disk does not give back counts as zeroes.
    init(_ path: String) throws {
        self.path = path
        var opened: [Int32] = []
        let database = try Self.read(path, keeping: &opened)
        let bytes = try Self.read(path + "-wal", keeping: &opened)
        let log = WriteAheadLog(bytes)
        isPatched = log.hidesCommits
        descriptors = opened
        let last = max(database.count / Self.pageSize, 1)
        // No log of ours makes a cache a million times as large; a damaged number could.
        let limit = last + log.frames.count
        pages = database
        pages.removeLast(database.count % Self.pageSize)
        let size = log.frames.map(\.page).filter { $0 <= limit }.max() ?? 0
        let count = max(last, size) * Self.pageSize
        pages += [UInt8](repeating: 0, count: count - pages.count)
        for frame in log.frames where frame.page <= limit {
            let start = (frame.page - 1) * Self.pageSize
            pages.replaceSubrange(
                start..<start + Self.pageSize,
                with: bytes[frame.offset..<frame.offset + Self.pageSize])
        }
    }

    /// Whether commits stand in the log of the cache at `path` that SQLite does not read. Nobody may
    /// commit meanwhile.
    static func logHidesCommits(of path: String) throws -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }  // SQLite locks no log.
        return try WriteAheadLog(read(path + "-wal", keeping: &opened)).hidesCommits
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Whether the first page bears our number: the file is a cache, and not another program's.
    var isOurs: Bool {
        pages[68..<72].elementsEqual([0x73, 0x79, 0x6e, 0x64])
    }

    /// Writes the pages as a database without a log, its header mended, to `copy`.
    ///
    /// With `firstPage`, that one takes the place of the first: the schema, and where each table
    /// begins.
    func write(to copy: String, firstPage: [UInt8]? = nil) throws {
        var pages = pages
        if let firstPage { pages.replaceSubrange(0..<Self.pageSize, with: firstPage) }
        Self.mendHeader(&pages)
        unlink(copy)
        let file = retryingInterrupts {
            open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else { throw Snapshot.failure(copy) }
        defer { close(file) }
        var offset = 0
        while offset < pages.count {
            let count = retryingInterrupts {
                pages.withUnsafeBytes {
                    Glibc.write(file, $0.baseAddress?.advanced(by: offset), pages.count - offset)
                }
            }
            guard count > 0 else { throw Snapshot.failure(copy) }
            offset += count
        }
    }

    /// What is the same in every cache, and the number of pages.
    /// Source: https://www.sqlite.org/fileformat2.html#the_database_header
    private static func mendHeader(_ pages: inout [UInt8]) {
        func set(_ offset: Int, _ bytes: [UInt8]) {
            pages.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        func number(_ value: Int) -> [UInt8] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { [UInt8]($0) }
        }
        set(0, Array("SQLite format 3\0".utf8))
        // The size of a page; no write-ahead log; no reserved bytes; three constants.
        set(16, [0x10, 0, 1, 1, 0, 64, 32, 32])
        set(28, number(pages.count / pageSize))
        set(92, Array(pages[24..<28]))  // The number of pages is valid.
        set(32, number(0) + number(0))  // No free pages: nothing is written.
        set(44, number(4))
        set(52, number(0))
        set(56, number(1))
    }

    private static func read(_ path: String, keeping opened: inout [Int32]) throws -> [UInt8] {
        let file = retryingInterrupts { open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        guard file >= 0 else {
            guard errno == ENOENT else { throw Snapshot.failure(path) }
            return []
        }
        opened.append(file)
        var bytes = [UInt8](repeating: 0, count: FileStatus.size(path))
        var offset = 0
        while offset < bytes.count {
            let wanted = min(1 << 20, bytes.count - offset)
            let count = retryingInterrupts {
                bytes.withUnsafeMutableBytes {
                    pread(file, $0.baseAddress?.advanced(by: offset), wanted, off_t(offset))
                }
            }
            if count == 0 { break }
            // What the disk does not give back is lost; a page further it may.
            offset += count > 0 ? count : pageSize
        }
        return bytes
    }
}
