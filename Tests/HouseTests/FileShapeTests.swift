import Testing

@Suite struct FileShapeTests {
    private let repository = Repository()

    private func shapes(_ paths: [String]) throws -> [FileShape] {
        try paths.map { FileShape(path: $0, source: try repository.code(of: $0)) }
    }

    @Test func `a file of a room bears the name of what it introduces`() throws {
        let findings = try shapes(try repository.roomFiles()).flatMap { $0.nameFindings() }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `files are under 300 lines, tests under 400`() throws {
        let rooms = try shapes(try repository.roomFiles()).flatMap { $0.lengthFindings(limit: 300) }
        let tests = try shapes(try repository.files(below: "Tests", suffix: ".swift"))
            .flatMap { $0.lengthFindings(limit: 400) }
        #expect((rooms + tests).isEmpty, "\((rooms + tests).report)")
    }

    @Test func `no module has the name of a type in it`() throws {
        var findings: [Finding] = []
        for shape in try shapes(try repository.roomFiles()) {
            let room = Repository.room(of: shape.path)
            if shape.types.contains(room) {
                findings.append(
                    Finding(
                        file: shape.path, line: 1, problem: "a type has the name of its module",
                        remedy: "Rename it: \(room).\(room) hides everything else in the module"))
            }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `the name of a type means one type`() throws {
        let places = try shapes(try repository.roomFiles()).flatMap { shape in
            shape.types.map { (type: $0, path: shape.path) }
        }
        let twice = Dictionary(grouping: places, by: \.type).filter { $0.value.count > 1 }
            .map { "\($0.key): \($0.value.map(\.path).joined(separator: ", "))" }.sorted()
        #expect(places.count > 100)
        #expect(twice.isEmpty, "Rename one of each: \(twice)")
    }

    @Test func `no file is a heap of leftovers`() throws {
        let heaps = try repository.roomFiles().filter {
            $0.contains(/(?:Utils?|Helpers?|Common|Misc|Extensions)\.swift$/)
        }
        #expect(heaps.isEmpty, "Name each file after the one thing it introduces")
    }

    @Test(arguments: [
        ("A.swift", "public struct A: Sendable {}"),
        ("A.swift", "@available(*, unavailable)\nactor A {}"),
        ("A.swift", "public final class A {}"), ("A+B.swift", "extension A {}"),
        ("A+B.swift", "extension Swift.Array where Element == A {}"), ("main.swift", "run()"),
        ("Wait.swift", "public func wait() {}"), ("A.swift", "struct B {}\nstruct A {}"),
        ("A.swift", "public indirect enum A {}"), ("A.swift", "@MainActor public protocol A {}"),
    ])
    func `a right name is taken`(name: String, text: String) {
        let shape = FileShape(path: "Sources/Room/\(name)", text: text)
        #expect(shape.nameFindings() == [])
    }

    @Test(arguments: [
        ("A.swift", "struct B {}"), ("A.swift", "// struct A {}"), ("A.swift", "extension A {}"),
        ("A+B.swift", "extension C {}"), ("As.swift", "struct A {}"),
        ("A.swift", "    struct A {}"),
    ])
    func `a wrong name is found`(name: String, text: String) {
        let shape = FileShape(path: "Sources/Room/\(name)", text: text)
        #expect(shape.nameFindings().count == 1)
    }

    @Test func `the last allowed line is allowed, one more is not`() {
        let line = "let a = 1\n"
        let shape = FileShape(path: "A.swift", text: String(repeating: line, count: 299))
        #expect(shape.lengthFindings(limit: 300) == [])
        let longer = FileShape(path: "A.swift", text: String(repeating: line, count: 300))
        #expect(longer.lengthFindings(limit: 300).count == 1)
    }
}
