import Rules
import Testing

@Suite struct WipeGuardTests {
    /// The rule in plain words, with fractions instead of products.
    private static func oracle(
        counted: Int64, missing: Int64, heldBefore: Int64?, isDue: Bool, isAccepted: Bool
    ) -> WipeGuard.Judgement {
        func isWipe(_ rows: Int64) -> Bool {
            counted >= 10 && Double(rows) / Double(counted) > 0.5
        }
        if isAccepted { return .take }
        if !isWipe(missing) { return .take }
        guard let heldBefore else { return .hold }
        if !isDue { return .keepHolding }
        // Where other rows are missing by now, the hold begins anew.
        return isWipe(heldBefore) ? .agree : .hold
    }

    @Test(arguments: Int64(0)...25)
    func `P14: every pull is judged as the rule says`(counted: Int64) {
        for missing in 0...counted {
            for heldBefore in [nil] + (0...missing).map(Optional.some) {
                for (isDue, isAccepted) in [
                    (false, false), (false, true), (true, false), (true, true),
                ] {
                    let judgement = WipeGuard.judge(
                        RemovalCount(counted: counted, missing: missing), heldBefore: heldBefore,
                        isHoldDue: isDue, isAccepted: isAccepted)
                    let expected = Self.oracle(
                        counted: counted, missing: missing, heldBefore: heldBefore, isDue: isDue,
                        isAccepted: isAccepted)
                    #expect(
                        judgement == expected,
                        "\(missing) of \(counted), \(String(describing: heldBefore)) before")
                }
            }
        }
    }

    @Test(arguments: Int64(0)...20)
    func `D4: an empty list is held from two rows on, however few, and else as any other`(
        counted: Int64
    ) {
        let removals = RemovalCount(counted: counted, missing: counted, isListEmpty: true)
        func judge(heldBefore: Int64?, isDue: Bool, isAccepted: Bool) -> WipeGuard.Judgement {
            WipeGuard.judge(
                removals, heldBefore: heldBefore, isHoldDue: isDue, isAccepted: isAccepted)
        }
        let isGuarded = counted >= 2
        #expect(
            judge(heldBefore: nil, isDue: false, isAccepted: false)
                == (isGuarded ? .hold : .take))
        #expect(
            judge(heldBefore: counted, isDue: false, isAccepted: false)
                == (isGuarded ? .keepHolding : .take))
        #expect(
            judge(heldBefore: counted, isDue: true, isAccepted: false)
                == (isGuarded ? .agree : .take))
        #expect(judge(heldBefore: nil, isDue: false, isAccepted: true) == .take)
    }

    @Test func `the borders are ten rows and one half`() {
        func judge(_ missing: Int64, of counted: Int64) -> WipeGuard.Judgement {
            WipeGuard.judge(
                RemovalCount(counted: counted, missing: missing), heldBefore: nil,
                isHoldDue: false, isAccepted: false)
        }
        #expect(judge(9, of: 9) == .take)
        #expect(judge(5, of: 10) == .take)
        #expect(judge(6, of: 10) == .hold)
        #expect(judge(6, of: 11) == .hold)
        #expect(judge(0, of: 0) == .take)
        #expect(judge(1_000_001, of: 2_000_000) == .hold)
        #expect(judge(1_000_000, of: 2_000_000) == .take)
    }

    /// Rows that the server has acknowledged a moment ago are not missing from any list.
    @Test func `an empty list is held though half of the rows are too young for it`() {
        let removals = RemovalCount(counted: 4, missing: 2, isListEmpty: true)
        func judge(heldBefore: Int64?) -> WipeGuard.Judgement {
            WipeGuard.judge(removals, heldBefore: heldBefore, isHoldDue: true, isAccepted: false)
        }
        #expect(judge(heldBefore: nil) == .hold)
        #expect(judge(heldBefore: 2) == .agree)
        #expect(judge(heldBefore: 1) == .hold)
    }
}
