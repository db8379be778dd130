import Commands
import Rules
import Store
import Testing

@Suite struct LastingDoubtTests {
    private func doubt(_ kind: OperationKind, _ reason: LastingDoubt.Reason) -> LastingDoubt {
        LastingDoubt(
            sequence: OperationSequence(rawValue: 12), kind: kind, row: 5,
            title: "milk", reason: reason)
    }

    @Test func `D6: the hint of a lasting doubt names both ways to end it, and what they risk`() {
        #expect(
            doubt(.create, .rowsSkipped).hint
                == "Remove that cause, or end the doubt: `syncd outbox retry --force 12` (the row may be "
                + "made twice) or `syncd outbox drop --force 12` (the server may have made the row "
                + "all the same).")
        #expect(
            doubt(.delete, .rowsSkipped).hint
                == "Remove that cause, or end the doubt: `syncd outbox retry --force 12` (the row may be "
                + "deleted already) or `syncd outbox drop --force 12` (the server may have deleted "
                + "the row all the same).")
    }

    @Test(arguments: [
        (LastingDoubt.Reason.pullHeld, "the last pull was held"),
        (.pullFails("timed out"), "the pull fails: timed out"),
        (.listCut("the list is cut: it has 5 rows"), "the list is cut: it has 5 rows"),
        (.rowsSkipped, "the list has unusable rows, and each could be any row"),
        (.attempt("409: no"), "the last attempt ended with: 409: no"),
    ])
    func `a lasting doubt is told with its reason`(reason: LastingDoubt.Reason, cause: String) {
        #expect(
            doubt(.create, reason).problem
                == "the create of ‘milk’ (operation 12) has been in doubt for over an hour and 3 "
                + "pulls: \(cause)")
    }
}
