import Foundation
import Testing

/// What a person does to the outbox.
@Suite(.timeLimit(.minutes(2))) struct OutboxProcessTests {
    private func states(_ stage: Stage) async throws -> String {
        try await stage.sqlite("SELECT seq, state FROM outbox ORDER BY seq").output
    }

    @Test(arguments: [
        ("retry", "retried", "1|queued\n", "the row may be made twice"),
        ("drop", "dropped", "", "the server may have made the row all the same"),
    ])
    func `D6: what is in doubt is ended only by force, which tells the risk`(
        verb: String, participle: String, after: String, risk: String
    ) async throws {
        let stage = try await Stage.outbox("in doubt")
        let refused = try await stage.syncd("outbox", verb, "1")
        #expect(refused.code == 65)
        #expect(refused.errors.contains("its answer was lost, so it cannot be \(participle)"))
        #expect(refused.errors.hasSuffix("--force ends a doubt, at a risk.\n"))
        #expect(try await states(stage) == "1|in doubt\n")
        let forced = try await stage.syncd("outbox", verb, "--force", "1", "--quiet")
        #expect(forced.code == 0)
        #expect(forced.errors == "syncd: the doubt of 1 create was ended: \(risk)\n")
        #expect(forced.output == "")
        #expect(try await states(stage) == after)
        #expect(try await stage.syncd("check").code == 0)
    }

    @Test(arguments: ["retry", "drop"])
    func `force changes nothing about what is in no doubt, and tells no risk`(
        verb: String
    ) async throws {
        let stage = try await Stage.outbox("rejected", "sending")
        let refused = try await stage.syncd("outbox", verb, "--force", "1", "2")
        #expect(refused.code == 65)
        #expect(refused.errors.contains("the operation is being sent and cannot be "))
        #expect(try await states(stage) == "1|rejected\n2|sending\n")
        let unknown = try await stage.syncd("outbox", verb, "--force", "9")
        #expect(unknown.code == 65)
        #expect(unknown.errors.hasPrefix("syncd: there is no operation 9 in the outbox. "))
        let done = try await stage.syncd("outbox", verb, "--force", "1")
        #expect(done.code == 0)
        #expect(done.errors == "")
    }

    @Test func `D12: all that was refused is queued again by one command`() async throws {
        let stage = try await Stage.outbox("queued", "in doubt", "rejected", "rejected")
        let retried = try await stage.syncd("outbox", "retry", "--all")
        #expect(retried.code == 0)
        #expect(
            retried.errors
                == "syncd: 2 changes queued again; 1 in doubt left: --force ends the doubt\n")
        #expect(try await states(stage) == "1|queued\n2|in doubt\n3|queued\n4|queued\n")
        let forced = try await stage.syncd("outbox", "retry", "--all", "--force")
        #expect(
            forced.errors == """
                syncd: 1 change queued again
                syncd: the doubt of 1 create was ended: the row may be made twice

                """)
        #expect(try await states(stage) == "1|queued\n2|queued\n3|queued\n4|queued\n")
        let none = try await stage.syncd("outbox", "retry", "--all")
        #expect(none.code == 0)
        #expect(none.errors == "syncd: 0 changes queued again\n")
    }

    @Test func `D12: all that may be dropped is dropped by one command`() async throws {
        let stage = try await Stage.outbox("queued", "in doubt", "rejected", "sending")
        let dropped = try await stage.syncd("outbox", "drop", "--all")
        #expect(dropped.code == 0)
        #expect(
            dropped.errors
                == "syncd: 2 changes dropped; 1 in doubt left: --force ends the doubt; "
                + "1 being sent left: wait for the answer\n")
        #expect(try await states(stage) == "2|in doubt\n4|sending\n")
        let forced = try await stage.syncd("outbox", "drop", "--all", "--force", "--quiet")
        #expect(forced.code == 0)
        #expect(
            forced.errors == "syncd: the doubt of 1 create was ended: the server may have made "
                + "the row all the same\n")
        #expect(try await states(stage) == "4|sending\n")
    }

    @Test(arguments: ["retry", "drop"])
    func `the help tells what is at risk, and how to see first what all is`(
        verb: String
    ) async throws {
        let help = try await Stage().syncd("outbox", verb, "--help").output
        #expect(help.hasPrefix("usage: syncd outbox \(verb) SEQ… | --all [OPTION…]\n"))
        for part in [
            "  --all ", "  --force ", "--force ends the doubt, and the ",
            "`syncd outbox list` shows the numbers, and what --all would change. ",
            "  syncd outbox \(verb) --force 12\n", "  syncd outbox \(verb) --all\n",
        ] {
            // A sentence may be broken at any of its words.
            #expect(
                help.contains(part) || help.replacing("\n", with: " ").contains(part), "\(part)")
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
}
