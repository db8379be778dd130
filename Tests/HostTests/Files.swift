import Glibc
import Testing

func mode(of path: String) throws -> UInt32 {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o7777
}

func contents(of path: String) throws -> String {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    // Files of /proc come in pieces of a page.
    while true {
        let count = read(file, &chunk, chunk.count)
        try #require(count >= 0)
        if count == 0 { return String(decoding: all, as: UTF8.self) }
        all += chunk[..<count]
    }
}

/// Tests of ownership give files away, which only root may do.
let isRoot = geteuid() == 0
let somebodyElse: UInt32 = 65_534
