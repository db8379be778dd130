import Foundation
import Glibc
import Testing

@Suite(.enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0, "systemd is not installed"))
struct UnitProcessTests {
    /// Where the units are.
    private let units = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../packaging/systemd").standardized

    /// Runs systemd-analyze on a copy of a unit that starts the built program: it looks for it.
    private func analyze(_ arguments: [String], unit: String) async throws -> Finished {
        let stage = try Stage()
        let source = units.appendingPathComponent(unit)
        let copy = stage.root + "/" + source.lastPathComponent
        let text = try String(contentsOf: source, encoding: .utf8)
            .replacing("/usr/bin/syncd", with: Program.syncd.path)
        try text.write(toFile: copy, atomically: false, encoding: .utf8)
        return try await stage.run(
            Program(path: "/usr/bin/env"),
            ["XDG_RUNTIME_DIR=\(stage.root)", "systemd-analyze"] + arguments + [copy])
    }

    @Test(arguments: [
        ("--system", "system/syncd.service"), ("--system", "system/syncd@.service"),
        ("--user", "user/syncd.service"),
    ])
    func `systemd finds nothing wrong with the units`(manager: String, unit: String) async throws {
        let ended = try await analyze([manager, "verify", "--man=no"], unit: unit)
        #expect(ended.code == 0)
        #expect(ended.errors == "")
    }

    @Test(arguments: ["system/syncd.service", "system/syncd@.service"])
    func `the system's units expose 1_1 or less`(unit: String) async throws {
        let ended = try await analyze(
            ["security", "--offline=true", "--threshold=11", "--no-pager"], unit: unit)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains("Overall exposure level"))
    }

    @Test(arguments: ["system/syncd.service", "system/syncd@.service", "user/syncd.service"])
    func `F8: the units bound memory and threads`(unit: String) throws {
        let text = try String(contentsOf: units.appendingPathComponent(unit), encoding: .utf8)
        #expect(text.contains("\nMemoryMax=1G\n"))
        #expect(text.contains("\nTasksMax=64\n"))
    }

    @Test func `F8: the two units of the system differ in names, places and what an instance sees`()
        throws
    {
        func text(_ name: String) throws -> String {
            try String(
                contentsOf: units.appendingPathComponent("system/\(name)"), encoding: .utf8)
        }
        let one = try text("syncd.service")
        let template = try text("syncd@.service")
            .replacing("/etc/syncd/%i.json", with: "/etc/syncd/config.json")
            .replacing("lists (%i)", with: "lists")
            .replacing("StateDirectory=syncd/%i", with: "StateDirectory=syncd")
            .replacing("syncd.%i.", with: "syncd.")
        let apart = """
            TemporaryFileSystem=/var/lib/syncd:ro
            BindPaths=/var/lib/syncd/%i

            """
        #expect(template.contains(apart))
        func settings(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        }
        #expect(settings(template.replacing(apart, with: "")) == settings(one))
    }
}
