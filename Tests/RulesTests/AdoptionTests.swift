import Rules
import Testing

/// Titles that a server stores in part.
@Suite struct AdoptionTests {
    private static let long = String(repeating: "a long title ", count: 30)

    private static func adopted(
        _ titles: [String], rows: [String], titleCut: Int64? = nil
    ) -> [String?] {
        let creates = titles.enumerated().map {
            OpenOperation(
                sequence: OperationSequence(rawValue: Int64($0.offset)), kind: .create,
                row: Int64($0.offset), values: [$0.element], sentAt: nil)
        }
        let unowned = rows.enumerated().map {
            UnownedRow(serverID: "\($0.offset)", values: [$0.element])
        }
        let matches = Adoption(titleCut: titleCut).matches(of: creates, in: unowned)
        return creates.map { matches[$0.sequence] }
    }

    @Test(arguments: [(31, false), (32, true), (255, true)])
    func `the only beginning of a title is taken for it, from 32 characters on`(
        length: Int, isTaken: Bool
    ) {
        let title = "b" + String(Self.long.filter { $0 != " " })
        let rows = [String(title.prefix(length))]
        #expect(Self.adopted([title], rows: rows) == [isTaken ? "0" : nil])
    }

    @Test func `of two beginnings the one is taken at whose length that server cut before`() {
        let rows = [String(Self.long.prefix(64)), String(Self.long.prefix(100))]
        #expect(Self.adopted([Self.long], rows: rows) == [nil])
        #expect(Self.adopted([Self.long], rows: rows, titleCut: 100) == ["1"])
        #expect(Self.adopted([Self.long], rows: rows, titleCut: 50) == [nil])
    }

    @Test func `two creates whose titles begin alike share no row`() {
        let titles = [Self.long + "x", Self.long + "y"]
        let row = String(Self.long.prefix(100))
        #expect(Self.adopted(titles, rows: [row]) == [nil, nil])
        #expect(Self.adopted(titles, rows: [row, row], titleCut: 100) == ["0", "1"])
    }

    @Test func `beside a text that was cut, all else has to be equal`() {
        let create = OpenOperation(
            sequence: OperationSequence(rawValue: 1), kind: .create, row: 1,
            values: ["buy", Self.long, "7"], sentAt: nil)
        let part = String(Self.long.prefix(100))
        let rows = [["pay", part, "7"], ["buy", part, "8"], ["buy", "b" + part, "7"]].enumerated()
            .map { UnownedRow(serverID: "\($0.offset)", values: $0.element) }
        let adoption = Adoption(match: [0, 1], texts: [0, 1], titleCut: nil)
        #expect(adoption.matches(of: [create], in: rows) == [create.sequence: "1"])
        #expect(adoption.matches(of: [create], in: [rows[0], rows[2]]).isEmpty)
        let number = Adoption(match: [0, 1], texts: [0], titleCut: nil)
        #expect(number.matches(of: [create], in: rows).isEmpty)
    }

    @Test
    func `before the server has shown a mark, a row without one is ours by all that was sent`() {
        let create = OpenOperation(
            sequence: OperationSequence(rawValue: 1), kind: .create, row: 1,
            values: ["m", Self.long, "7"], sentAt: nil)
        func found(_ marks: MarkKeeping?, _ row: [String?]) -> Bool {
            let adoption = Adoption(match: [1], texts: [0], mark: 0, marks: marks, titleCut: nil)
            let row = UnownedRow(serverID: "1", values: row)
            return !adoption.matches(of: [create], in: [row]).isEmpty
        }
        let others = [[nil, Self.long, "8"], [nil, String(Self.long.prefix(100)), "7"]]
        for row in others { #expect(!found(nil, row)) }
        #expect(found(nil, [nil, " " + Self.long, "7"]))
        for row in others { #expect(found(.dropped, row)) }
    }

    @Test func `a whole title goes before a part of one`() {
        let part = String(Self.long.prefix(100))
        #expect(Self.adopted([Self.long, part], rows: [part]) == [nil, "0"])
        #expect(Self.adopted([Self.long], rows: [part, Self.long]) == ["1"])
    }

    @Test(.timeLimit(.minutes(3))) func `many titles that begin alike cost no more than a moment`()
    {
        let titles = (0..<3000).map { Self.long + "\($0)" }
        let rows = (0..<3000).map { _ in String(Self.long.prefix(64)) }
        #expect(Self.adopted(titles, rows: rows, titleCut: 64).count == 3000)
    }
}
