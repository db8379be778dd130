/// What the end of an attempt means for its operation.
///
/// Laws: after a success that is no refusal, an operation is never sent again, whatever the answer holds. While an
/// earlier attempt may have taken effect, nothing but a success ends the doubt. A create that nobody wants any more is
/// never sent again. A refusal counts only when nothing older of its server waits. A refusal in a run of equal ones
/// counts when it is the ``RefusalRun/ownAtMost``th of its operation.
package enum SettlementRules {
    /// The outcome of `settlement`, which the store carries out; `edits` are the rules of the list's updates.
    package static func outcome(
        of facts: SettlingFacts, _ settlement: Settlement,
        by edits: UpdateResolution = UpdateResolution()
    ) -> SettlementOutcome {
        switch settlement {
        case .accepted(let acceptance):
            if let refusal = acceptance.refusal, !facts.isRow {
                var facts = facts
                // It is never sent again.
                facts.isBehind = false
                return outcome(of: facts, .rejected(refusal), by: edits)
            }
            return accepted(facts, acceptance, by: edits)
        case .doubtful(let wait, let isOver):
            // It is over only if no earlier attempt is under way.
            return doubt(wait, isOver: isOver && !facts.isUndecided)
        // Whatever this attempt came to, an earlier one may have taken effect.
        case .rejected(let wait) where facts.isUndecided: return doubt(wait)
        case .notApplied(let wait) where facts.isUndecided: return doubt(wait)
        case .refusedInRun(let wait) where facts.isUndecided: return doubt(wait)
        case .stale(let wait, _) where facts.isUndecided: return doubt(wait)
        // It would go on for ever.
        case .stale(let wait, _) where facts.isStaleAgain:
            return .waits(.rejected, wait, isOver: false)
        case .stale(let wait, let version): return .waitsForVersion(otherThan: version, wait)
        case .rejected where facts.isUnwanted, .notApplied where facts.isUnwanted,
            .refusedInRun where facts.isUnwanted:
            return .withdrawn
        // What it needs, or what is in its way, may be what waits.
        case .rejected(let wait) where facts.isBehind: return .waitsUncounted(wait)
        case .rejected(let wait): return .waits(.rejected, wait, isOver: false)
        case .refusedInRun(let wait):
            return facts.refusals + 1 >= RefusalRun.ownAtMost
                ? .waits(.rejected, wait, isOver: false) : .waitsUncounted(wait)
        case .notApplied(let wait): return .waits(.queued, wait, isOver: false)
        }
    }

    private static func accepted(
        _ facts: SettlingFacts, _ acceptance: Acceptance, by edits: UpdateResolution
    ) -> SettlementOutcome {
        switch facts.kind {
        case .create: return created(facts, acceptance, by: edits)
        case .update:
            return .learned(
                facts.edited.map { edits.acknowledge($0, at: acceptance.at) } ?? EditOutcome())
        // Servers answer with the row that they deleted, so no answer is a witness.
        case .delete: return .acknowledged(at: acceptance.at)
        }
    }

    private static func created(
        _ facts: SettlingFacts, _ acceptance: Acceptance, by edits: UpdateResolution
    ) -> SettlementOutcome {
        switch facts.answer {
        case .none: return .acknowledged(at: acceptance.at)
        case .merged: return .merged
        // A key that is sent again is answered with what its first sending made, also when others have deleted
        // that since. Then this cycle's pull has shown whose the id is now. A delete that waits would go with
        // that row, so the next pull decides.
        case .reused(isConfirmed: true) where facts.isUndecided:
            return facts.isUnwanted ? .acknowledged(at: acceptance.at) : .ended
        // The id belongs to this create: a row that still holds it is gone, ids are used again.
        case .free, .reused:
            return .adopted(
                facts.edited.map { edits.bind($0, at: acceptance.at, byList: false) }
                    ?? EditOutcome())
        }
    }

    private static func doubt(_ wait: Postponement, isOver: Bool = false) -> SettlementOutcome {
        .waits(.inDoubt, wait, isOver: isOver)
    }
}
