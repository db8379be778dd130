import APIClient
import ReferenceAPI
import Testing

@Suite struct UntrueServerTests {
    /// A list of one row behind a server that always says the same that is not so.
    private struct World {
        var server: ReferenceServer
        var untrue: UntrueServer
        var milliseconds: Int64 = 1_000_000

        init(_ untruth: Untruth, seconds: Int64 = 20, rate: Double = 1) {
            server = ReferenceServer(
                state: ReferenceState(), behaviour: ReferenceBehaviour(),
                movies: .generated(count: 1, seed: 1, overlap: false, dates: true))
            var list = ReferenceList(
                rows: [#"{"id":1,"title":"a","size":5}"#, #"{"id":2,"title":"b","size":6}"#],
                paging: .none, size: 30)
            list.isWritable = true
            server.declaredLists["notes"] = list
            untrue = UntrueServer([UntruthHabit(untruth, rate: rate, seconds: seconds)], seed: 1)
        }

        @discardableResult
        mutating func ask(
            _ method: HTTPMethod, _ target: String = "/lists/notes", _ body: String? = nil
        ) -> String {
            let request = HTTPRequest(
                method: method, origin: Origin(scheme: "http", host: "localhost", port: 8080),
                target: target, fields: [], body: body.map { Array($0.utf8) },
                timeout: .seconds(1), maxBodyBytes: 1 << 20)
            let now = milliseconds
            let (answer, _) = untrue.answer(request, at: now) {
                server.answer($0, at: now / 1000, milliseconds: now % 1000)
            }
            let age = answer.fields.first { $0.isNamed("Age") }.map { " Age \($0.value)" } ?? ""
            let text = String(decoding: answer.body, as: UTF8.self)
            return "\(answer.status)\(age) \(text)"
        }

        var rows: [String] { server.declaredLists["notes"]?.rows ?? [] }
    }

    private static let edit = #"{"title":"c","size":7}"#

    @Test func `a create is ignored, and answered with what was sent`() {
        var world = World(.ignoresCreate)
        let answer = world.ask(.post, "/lists/notes", #"{"title":"c"}"#)
        #expect(answer == #"201 {"id":9000001,"title":"c"}"#)
        #expect(world.rows.count == 2)
    }

    @Test func `an update is ignored, and answered with the row as it is`() {
        var world = World(.ignoresUpdate)
        #expect(
            world.ask(.patch, "/lists/notes/1", Self.edit)
                == #"200 {"id":1,"title":"a","size":5}"#)
    }

    @Test func `one field of an update is ignored, and never the first one`() {
        var world = World(.ignoresUpdateField)
        #expect(
            world.ask(.patch, "/lists/notes/1", Self.edit)
                == #"200 {"id":1,"title":"c","size":5}"#)
    }

    @Test func `a delete succeeds, and the row stays`() {
        var world = World(.ignoresDelete)
        #expect(world.ask(.delete, "/lists/notes/1") == "204 ")
        #expect(world.rows.count == 2)
    }

    @Test(arguments: [
        (Untruth.answersOldRow, #"200 {"id":1,"title":"a","size":5}"#),
        (.answersOtherRow, #"200 {"id":2,"title":"b","size":6}"#),
        (.answersID, #"200 {"id":1}"#), (.answersNothing, "204 "),
        (.answersClaim, #"200 {"id":1,"title":"c","size":7}"#),
        (.refusesInVain, #"200 {"ok":false,"error":"the server does not want to"}"#),
    ])
    func `an update is done, and its answer shows something else`(
        untruth: Untruth, expected: String
    ) {
        var world = World(untruth)
        #expect(world.ask(.patch, "/lists/notes/1", Self.edit) == expected)
        #expect(world.rows[0] == #"{"id":1,"title":"c","size":7}"#)
    }

    @Test func `a part of the row has its id and fewer members`() {
        var world = World(.answersPart)
        let answers = (0..<8).map { _ in world.ask(.patch, "/lists/notes/1", Self.edit) }
        #expect(Set(answers).count > 1)
        #expect(answers.allSatisfy { $0.hasPrefix(#"200 {"id":1"#) })
    }

    @Test func `a refusal in a success changes nothing`() {
        var world = World(.refuses)
        #expect(
            world.ask(.patch, "/lists/notes/1", Self.edit)
                == #"200 {"ok":false,"error":"the server does not want to"}"#)
        #expect(world.rows[0] == #"{"id":1,"title":"a","size":5}"#)
    }

    @Test func `what is promised is done later`() {
        var world = World(.isLater, seconds: 5)
        #expect(world.ask(.patch, "/lists/notes/1", Self.edit) == "202 {}")
        #expect(world.rows[0] == #"{"id":1,"title":"a","size":5}"#)
        world.milliseconds += 5000
        world.ask(.get)
        #expect(world.rows[0] == #"{"id":1,"title":"c","size":7}"#)
    }

    @Test func `a list lags by so many seconds at most`() {
        var world = World(.listsLag, seconds: 20)
        let old = world.ask(.get)
        world.milliseconds += 30_000
        world.ask(.patch, "/lists/notes/1", Self.edit)
        world.milliseconds += 1000
        let soon = (0..<20).map { _ in world.ask(.get) }
        let new = #"200 [{"id":1,"title":"c","size":7},{"id":2,"title":"b","size":6}]"#
        #expect(Set(soon) == [old, new])
        world.milliseconds += 20_000
        #expect((0..<20).allSatisfy { _ in world.ask(.get) == new })
    }

    @Test(arguments: [(Untruth.cache, " Age 9"), (.silentCache, "")])
    func `a list is kept, and its age is told or not`(untruth: Untruth, age: String) {
        var world = World(untruth, seconds: 10)
        world.ask(.get)
        world.ask(.patch, "/lists/notes/1", Self.edit)
        world.milliseconds += 9000
        let rows = #"[{"id":1,"title":"a","size":5},{"id":2,"title":"b","size":6}]"#
        #expect(world.ask(.get) == "200\(age) \(rows)")
        world.milliseconds += 1000
        #expect(world.ask(.get).contains(#""title":"c""#))
    }

    @Test(arguments: Untruth.allCases)
    func `without a rate the server is true`(untruth: Untruth) {
        var world = World(untruth, rate: 0)
        #expect(
            world.ask(.patch, "/lists/notes/1", Self.edit)
                == #"200 {"id":1,"title":"c","size":7}"#)
        #expect(world.ask(.delete, "/lists/notes/2") == "204 ")
        #expect(world.ask(.get) == #"200 [{"id":1,"title":"c","size":7}]"#)
    }

    @Test func `logins and movies are answered truly`() {
        let login = HTTPRequest(
            method: .post, origin: Origin(scheme: "http", host: "localhost", port: 8080),
            target: "/login", fields: [], timeout: .seconds(1), maxBodyBytes: 1)
        #expect(!Untruth.allCases.contains { $0.concerns(login) })
    }
}
