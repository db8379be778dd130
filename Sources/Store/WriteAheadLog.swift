/// The frames of a write-ahead log, read without SQLite: which of its pages are committed, and
/// whether a commit stands behind a frame that is damaged.
///
/// SQLite takes the log to end at the first frame whose checksum is wrong, and says nothing: what
/// was committed behind it is lost to every reader.
/// Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
struct WriteAheadLog {
    /// A page of the database as a frame holds it.
    struct Frame {
        let page: Int
        /// Where its bytes begin in the log.
        let offset: Int
    }

    /// The committed frames that can be trusted, oldest first.
    private(set) var frames: [Frame] = []
    /// A commit stands behind a damaged frame, or behind a damaged header.
    private(set) var hidesCommits = false

    static let pageSize = 4096
    private static let headerSize = 32
    private static let frameSize = 24 + pageSize

    /// Reads `bytes`, the whole file; a log of pages of another size is taken to be empty.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize + Self.frameSize else { return }
        bytes.withUnsafeBytes { read(Reader(bytes: $0)) }
    }

    private mutating func read(_ log: Reader) {
        let isHeaderSound =
            [0x377f_0682, 0x377f_0683].contains(log.word(0)) && log.word(4) == 3_007_000
            && log.sum(0..<24, from: Sum()) == log.storedSum(24)
        if isHeaderSound, log.word(8) != UInt32(Self.pageSize) { return }
        // Frames of an earlier round, which stand behind the newer ones, have other salts.
        let salt = isHeaderSound ? 16 : Self.headerSize + 8
        let salts = (log.word(salt), log.word(salt + 4))
        var previous = log.storedSum(24)
        var isChainWhole = isHeaderSound
        var pending: [Frame] = []
        var offset = Self.headerSize
        while offset + Self.frameSize <= log.bytes.count {
            defer { offset += Self.frameSize }
            let isOfThisRound = (log.word(offset + 8), log.word(offset + 12)) == salts
            let stored = log.storedSum(offset + 16)
            let head = log.sum(offset..<offset + 8, from: previous)
            let found = log.sum(offset + 24..<offset + Self.frameSize, from: head)
            previous = stored
            guard isOfThisRound, found == stored, log.word(offset) > 0 else {
                isChainWhole = false
                continue
            }
            pending.append(Frame(page: Int(log.word(offset)), offset: offset + 24))
            guard log.word(offset + 4) > 0 else { continue }
            frames += pending
            pending = []
            if !isChainWhole { hidesCommits = true }
        }
    }

    private struct Sum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer

        /// Numbers are stored with their highest byte first.
        func word(_ offset: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }

        func storedSum(_ offset: Int) -> Sum {
            Sum(first: word(offset), second: word(offset + 4))
        }

        /// The magic number says in which order the words are added up.
        func sum(_ range: Range<Int>, from seed: Sum) -> Sum {
            let isBigEndian = word(0) == 0x377f_0683
            var sum = seed
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                sum.first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ sum.second
                sum.second &+= (isBigEndian ? two.bigEndian : two.littleEndian) &+ sum.first
            }
            return sum
        }
    }
}
