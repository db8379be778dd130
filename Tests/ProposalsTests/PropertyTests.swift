import Declarations
import Proposals
import Testing

/// Whatever a server answers: what is proposed is a declaration that syncd takes.
@Suite struct PropertyTests {
    @Test func `every proposal is taken by the reader of declarations`() throws {
        var random = Draws(seed: 20)
        var proposals = 0
        for _ in 0..<1500 {
            let body = random.body()
            let seen = Seen("/notes?page=1&limit=2", body, random.fields())
            do {
                let proposal = try seen.proposal(
                    second: Seen("/notes", random.body()), at: random.draw(4))
                let file = try proposal.read()
                #expect(file.declaration.isReadOnly)
                #expect(
                    proposal.columns.allSatisfy { column in
                        column.utf8.prefix { $0 != UInt8(ascii: "=") }.allSatisfy {
                            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
                        }
                    })
                proposals += 1
            } catch is ProposalError {
                continue
            } catch {
                Issue.record("\(error) for \(body)")
                return
            }
        }
        #expect(proposals > 200)
    }
}

/// Numbers that are the same at each run.
private struct Draws {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func draw(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }

    private mutating func one(of texts: [String]) -> String { texts[draw(texts.count)] }

    private mutating func key() -> String {
        one(of: [
            "id", "_id", "id", "title", "next", "data", "results", "total", "count", "page", "meta",
            "pagination", "a b", "a\\\"b", "a'b", "a\\\\b", "\\u0000", "é", "e\\u0301", "rowid",
            "ROWID", "",
            "$", "order", "_rank", "createdAt", "@odata.nextLink", "total_pages", "next_cursor",
            "\\u202e",
        ])
    }

    private mutating func value(_ depth: Int) -> String {
        switch draw(depth > 3 ? 8 : 11) {
        case 0: "null"
        case 1: "true"
        case 2, 3: "\(draw(1000))"
        case 4: "-1.5e3"
        case 5: "99999999999999999999999"
        case 6: one(of: ["\"x\"", "\"/y?page=2\"", "\"https://example.org/z\"", "\"\""])
        case 7: "\"t\(draw(1000))\""
        case 8, 9: object(depth + 1)
        default: list(depth + 1)
        }
    }

    private mutating func object(_ depth: Int) -> String {
        var keys: [String] = []
        for _ in 0..<draw(7) {
            let key = key()
            if !keys.contains(key) { keys.append(key) }
        }
        return "{" + keys.map { "\"\($0)\": \(value(depth))" }.joined(separator: ", ") + "}"
    }

    private mutating func list(_ depth: Int) -> String {
        "[" + (0..<draw(4)).map { _ in value(depth) }.joined(separator: ", ") + "]"
    }

    mutating func body() -> String {
        let rows =
            "["
            + (0..<1 + draw(30)).map { _ in
                let row = object(2)
                let rest =
                    row == "{}" || row.contains("\"id\"") ? row.dropFirst() : ", " + row.dropFirst()
                return "{\"id\": \(draw(100_000))"
                    + (rest == "}" ? "}" : row.contains("\"id\"") ? "}" : String(rest))
            }.joined(separator: ", ") + "]"
        switch draw(4) {
        case 0: return rows
        case 1: return value(0)
        default:
            let whole = object(0)
            return whole == "{}" || whole.contains("\"results\"")
                ? "{\"results\": \(rows)}" : "{\"results\": \(rows), " + whole.dropFirst()
        }
    }

    mutating func fields() -> [(String, String)] {
        switch draw(4) {
        case 0: [("Link", "</y?page=2>; rel=next")]
        case 1: [("X-Total-Count", "\(draw(100))")]
        case 2: [("Content-Range", "items 0-1/\(draw(100))"), ("Allow", "GET, POST, PATCH")]
        default: []
        }
    }
}
