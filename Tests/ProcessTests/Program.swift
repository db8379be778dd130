import Foundation
import Glibc

/// One of the built programs, or one of the system's.
struct Program: Sendable, Hashable {
    let path: String

    static let syncd = Program(built: "syncd")
    static let demoAPI = Program(built: "demo-api")
    static let sqlite3 = Program(path: "/usr/bin/sqlite3")
    static let shell = Program(path: "/bin/sh")

    init(path: String) { self.path = path }

    /// The programs stand beside the bundle of tests, in whichever configuration was built.
    private init(built name: String) {
        let bundle = ProcessInfo.processInfo.arguments.first { $0.hasSuffix(".xctest") }
        let running =
            bundle
            ?? (try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe")) ?? ""
        let folder = URL(fileURLWithPath: running).deletingLastPathComponent().path
        path = folder + "/" + name
    }

    var exists: Bool { access(path, X_OK) == 0 }
}
