/// What the end of an attempt means for its operation.
///
/// Law: while an earlier attempt may have taken effect, nothing but a success ends the doubt. A create that
/// nobody wants any more is never sent again.
package enum SettlementRules {
    /// The outcome of `settlement`, which the store carries out; `edits` are the rules of the list's updates.
    package static func outcome(
        of facts: SettlingFacts, _ settlement: Settlement,
        by edits: UpdateResolution = UpdateResolution()
    ) -> SettlementOutcome {
        switch settlement {
        case .updated:
            facts.edited.map { .learned(edits.acknowledge($0)) } ?? .acknowledged
        case .created(_, let otherwise): created(facts, otherwise)
        case .deleted: .ended
        case .doubtful(let wait, let isOver):
            // It is over only if no earlier attempt is under way.
            doubt(wait, isOver: isOver && !facts.isUndecided)
        // Whatever this attempt came to, an earlier one may have taken effect.
        case .rejected(let wait) where facts.isUndecided: doubt(wait)
        case .notApplied(let wait) where facts.isUndecided: doubt(wait)
        case .stale(let wait, _) where facts.isUndecided: doubt(wait)
        // It would go on for ever.
        case .stale(let wait, _) where facts.isStaleAgain: .waits(.rejected, wait, isOver: false)
        case .stale(let wait, let version): .waitsForVersion(otherThan: version, wait)
        case .rejected where facts.isUnwanted, .notApplied where facts.isUnwanted: .withdrawn
        case .rejected(let wait): .waits(.rejected, wait, isOver: false)
        case .notApplied(let wait): .waits(.queued, wait, isOver: false)
        }
    }

    private static func created(
        _ facts: SettlingFacts, _ otherwise: Postponement
    ) -> SettlementOutcome {
        switch facts.answer {
        case .none: doubt(otherwise)
        // A key that is sent again is answered with what its first sending made, also when others have deleted
        // that since. Then this cycle's pull has shown whose the id is now. A delete that waits would go with
        // that row, so the next pull decides.
        case .held(isSame: false) where facts.isUndecided:
            facts.isUnwanted ? doubt(otherwise) : .ended
        // The id belongs to this create: a row that still holds it is gone, ids are used again.
        case .free, .held: .adopted
        }
    }

    private static func doubt(_ wait: Postponement, isOver: Bool = false) -> SettlementOutcome {
        .waits(.inDoubt, wait, isOver: isOver)
    }
}
