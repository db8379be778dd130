import Glibc
import Host
import TestSupport
import Testing

/// The service manager's end: a datagram socket with a name.
private final class Manager: Sendable {
    private let socket: Int32

    init(name: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(socket >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if name.hasPrefix("@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sa_family_t>.size + bytes.count + (name.hasPrefix("@") ? 0 : 1)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(length))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(socket) }

    func receive() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}

@Suite struct NotifySocketTests {
    @Test func `messages arrive at a path and at an abstract name`() throws {
        let temporary = try TemporaryDirectory()
        for name in [temporary.path(of: "notify"), "@syncd-tests-\(getpid())"] {
            let manager = try Manager(name: name)
            let notify = NotifySocket(environment: ["NOTIFY_SOCKET": name])
            try notify.send(.ready, .status("idle"))
            #expect(manager.receive() == "READY=1\nSTATUS=idle")
            try notify.send(.stopping)
            #expect(manager.receive() == "STOPPING=1")
            try notify.send(.watchdog)
            #expect(manager.receive() == "WATCHDOG=1")
        }
    }

    @Test func `more time is asked for in microseconds`() throws {
        let temporary = try TemporaryDirectory()
        let manager = try Manager(name: temporary.path(of: "notify"))
        let notify = NotifySocket(environment: ["NOTIFY_SOCKET": temporary.path(of: "notify")])
        try notify.send(.extendTimeout(.seconds(60)), .status("working"))
        #expect(manager.receive() == "EXTEND_TIMEOUT_USEC=60000000\nSTATUS=working")
        #expect(notify.isHeard && !NotifySocket(environment: [:]).isHeard)
    }

    @Test func `a reload tells its time on the monotonic clock`() throws {
        let temporary = try TemporaryDirectory()
        let manager = try Manager(name: temporary.path(of: "notify"))
        let notify = NotifySocket(environment: ["NOTIFY_SOCKET": temporary.path(of: "notify")])
        var before = timespec()
        clock_gettime(CLOCK_MONOTONIC, &before)
        try notify.send(.reloading)
        let lines = manager.receive().split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        let time = lines.last?.split(separator: "=").last.flatMap { Int($0) } ?? 0
        #expect(time >= before.tv_sec * 1_000_000)
    }

    @Test func `foreign text in a status line is no message of its own`() throws {
        let temporary = try TemporaryDirectory()
        let manager = try Manager(name: temporary.path(of: "notify"))
        let notify = NotifySocket(environment: ["NOTIFY_SOCKET": temporary.path(of: "notify")])
        try notify.send(.status("bad\nSTOPPING=1"))
        #expect(manager.receive() == "STATUS=bad\\nSTOPPING=1")
    }

    @Test func `without a manager messages are dropped`() throws {
        for environment in [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "vsock:2:1"]] {
            try NotifySocket(environment: environment).send(.ready)
        }
    }

    @Test func `a manager that is gone and a name that is too long are errors`() {
        let gone = NotifySocket(environment: ["NOTIFY_SOCKET": "/nowhere/notify"])
        #expect(throws: SystemError(operation: "sendto", code: ENOENT)) {
            try gone.send(.ready)
        }
        let name = "/" + String(repeating: "x", count: 200)
        let long = NotifySocket(environment: ["NOTIFY_SOCKET": name])
        #expect(throws: SystemError(operation: "sendto", code: ENAMETOOLONG)) {
            try long.send(.ready)
        }
    }

    @Test func `the watchdog is for the process that is named`() {
        func interval(_ environment: [String: String]) -> Duration? {
            NotifySocket(environment: environment).watchdogInterval
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(
            interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(30))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "-5"]) == nil)
        #expect(interval([:]) == nil)
    }
}
