import Commands
import Store
import Testing

@Suite struct OutboxChangeTests {
    @Test func `what was done to all is counted, with what is left`() {
        var outcome = OutboxOutcome()
        #expect(OutboxChange.retry.told(outcome) == "0 changes queued again")
        outcome.changed = 1
        #expect(OutboxChange.drop.told(outcome) == "1 change dropped")
        (outcome.left.inDoubt, outcome.left.sending) = (2, 3)
        #expect(
            OutboxChange.retry.told(outcome)
                == "1 change queued again; 2 in doubt left: --force ends the doubt")
        #expect(
            OutboxChange.drop.told(outcome)
                == "1 change dropped; 2 in doubt left: --force ends the doubt; 3 being sent left: "
                + "wait for the answer")
    }

    @Test func `each ended doubt is told with its risk`() {
        var outcome = OutboxOutcome()
        #expect(OutboxChange.drop.warnings(outcome) == [])
        (outcome.creates, outcome.deletes) = (1, 2)
        #expect(
            OutboxChange.retry.warnings(outcome) == [
                "the doubt of 1 create was ended: the row may be made twice",
                "the doubt of 2 deletes was ended: the row may be deleted already",
            ])
    }
}
