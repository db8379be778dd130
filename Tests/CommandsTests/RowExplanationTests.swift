import Commands
import Host
import Rendering
import Rules
import Store
import Testing

@Suite struct RowExplanationTests {
    private func explanation(
        _ operations: [ExplainedRow.Operation], serverID: String? = "n7", isShown: Bool = true,
        pulledAt: WallTime? = WallTime(milliseconds: 1), columns: [ExplainedRow.Column] = []
    ) -> RowExplanation {
        RowExplanation(
            of: ExplainedRow(
                list: "notes", id: 7, serverID: serverID, isShown: isShown, pulledAt: pulledAt,
                columns: columns, operations: operations),
            wall: WallTime(milliseconds: 100_000),
            now: BootTime(boot: "b", milliseconds: 100_000)
        ) { "at \($0.milliseconds)" }
    }

    private func operation(
        _ kind: OperationKind, _ state: OperationState, _ number: Int64 = 5,
        sentAt: BootTime? = nil, settling: Duration? = nil, notBefore: Int64? = nil,
        error: String? = nil
    ) -> ExplainedRow.Operation {
        .init(
            sequence: OperationSequence(rawValue: number), kind: kind, state: state,
            attempts: state == .queued ? 0 : 1, queuedAt: WallTime(milliseconds: 0), sentAt: sentAt,
            settlingTime: settling,
            notBefore: notBefore.map { WallTime(milliseconds: $0) }, lastError: error)
    }

    private func told(_ operations: ExplainedRow.Operation...) -> [String] {
        Array(explanation(operations).sentences.dropFirst(2))
    }

    private func column(
        _ value: String?, server: FieldValue?, sent: FieldValue? = nil, isEdit: Bool = false
    ) -> ExplainedRow.Column {
        .init(name: "title", value: FieldValue(value), server: server, sent: sent, isEdit: isEdit)
    }

    @Test func `each value has its source, and what lies beneath it`() {
        let one = FieldValue("one")
        for (column, source, beneath) in [
            (column("one", server: one), RowExplanation.Source.server, []),
            (column("new", server: nil), .create, []),
            (column("two", server: one, isEdit: true), .edit, ["‘one’ at the server"]),
            (column("two", server: one, sent: FieldValue("two")), .sent, ["‘one’ at the server"]),
            (
                column("x", server: FieldValue(nil), sent: FieldValue("two"), isEdit: true), .edit,
                ["‘two’ sent", "no value at the server"]
            ),
            (column("new", server: nil, sent: FieldValue("new")), .sent, []),
            (column("two", server: one), .dropped, ["‘one’ at the server"]),
        ] {
            #expect(RowExplanation.source(of: column) == source)
            #expect(RowExplanation.beneath(column) == beneath)
        }
    }

    @Test func `the table has a line for each column`() {
        let table = explanation(
            [],
            columns: [
                column("two", server: FieldValue("one"), isEdit: true),
                .init(name: "size", value: FieldValue(nil), server: FieldValue(nil)),
            ]
        ).table
        #expect(
            String(decoding: table.bytes(for: .stream), as: UTF8.self) == """
                column\tvalue\tfrom\tbeneath it
                title\ttwo\tedit\t‘one’ at the server
                size\t\tserver\t

                """)
    }

    @Test func `the row and its list come first`() {
        #expect(
            explanation([]).sentences == [
                "row 7 of notes is n7 at the server", "the list was last taken at 1",
            ])
        #expect(
            explanation([], serverID: nil, pulledAt: nil).sentences == [
                "row 7 of notes is not at the server, as far as is known here",
                "the list was never taken",
            ])
        #expect(
            explanation([], isShown: false).sentences.first
                == "row 7 of notes is n7 at the server; its delete hides it here")
    }

    @Test func `what waits says for what`() {
        #expect(
            told(operation(.create, .queued))
                == ["operation 5 (create, queued) is sent with the next sync"])
        for kind in [OperationKind.update, .delete] {
            #expect(
                told(operation(kind, .queued)) == [
                    "operation 5 (\(kind.rawValue), queued) is sent with the next sync whose list shows the row"
                ])
        }
        #expect(
            told(operation(.update, .queued, notBefore: 200_000, error: "503")) == [
                "operation 5 (update, queued) is sent not before at 200000; its last attempt ended with: 503"
            ])
        #expect(
            told(operation(.create, .queued, notBefore: 50_000))
                == ["operation 5 (create, queued) is sent with the next sync"])
    }

    @Test(arguments: [OperationState.sending, .inDoubt])
    func `what waits behind another operation names it`(state: OperationState) {
        for kind in [OperationKind.create, .update] {
            for behind in [OperationKind.update, .delete] {
                #expect(
                    told(operation(kind, state, 4), operation(behind, .queued)).last
                        == "operation 5 (\(behind.rawValue), queued) waits until operation 4 is decided"
                )
            }
        }
        let hidden = told(operation(.update, .queued), operation(.delete, state, 6))
        #expect(
            hidden.first
                == "operation 5 (update, queued) is sent only if the delete of the row is taken back"
        )
        let kept = told(operation(.update, .queued), operation(.delete, .rejected, 6))
        #expect(
            kept.first?.hasSuffix("is sent with the next sync whose list shows the row") == true)
    }

    @Test func `what was sent says when, and what decides it`() {
        let sentAt = BootTime(boot: "b", milliseconds: 90_000)
        #expect(
            told(operation(.update, .sending, sentAt: sentAt))
                == ["operation 5 (update, sending) was sent 10s ago, and its answer is awaited"])
        let start =
            "operation 5 (update, in doubt) was sent 10s ago, and whether it took effect is not known"
        #expect(
            told(
                operation(.update, .inDoubt, sentAt: sentAt, settling: .seconds(40), error: "lost"))
                == ["\(start): lost; a list that is read in 30s or later decides it"])
        for settling in [Duration.seconds(5), nil] {
            #expect(
                told(operation(.update, .inDoubt, sentAt: sentAt, settling: settling))
                    == ["\(start); the next list that shows the row decides it"])
        }
        let before = BootTime(boot: "a", milliseconds: 1)
        #expect(
            told(operation(.create, .inDoubt, sentAt: before)) == [
                "operation 5 (create, in doubt) was sent before the machine was started, "
                    + "and whether it took effect is not known; the next whole lists decide it"
            ])
    }

    @Test func `what was refused says why, and what can be done`() {
        for (kind, dropping) in [
            (OperationKind.create, "removes the row"), (.update, "takes the edits back"),
            (.delete, "keeps the row"),
        ] {
            #expect(
                told(operation(kind, .rejected, error: "too long")) == [
                    "operation 5 (\(kind.rawValue), rejected) was refused by the server: too long; "
                        + "`syncd outbox retry 5` sends it again, `syncd outbox drop 5` \(dropping)"
                ])
        }
    }
}
