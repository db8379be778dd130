/// Refusals of many operations by one hand: a firewall's 403 says nothing about any of them.
///
/// They are withheld until their cause is known. Laws: a kind is *closed* if ``RefusalRun/length`` operations of it in a
/// row get the same status of 403, 404 or 405, with no success between. None of these is rejected for it, and nothing
/// more of this kind is sent in this replay. Operations of other kinds go on. A success of any kind ends the
/// runs that are shorter, and then each refusal is about its operation.
package struct RefusalRuns<Answer: Sendable>: Sendable {
    /// An answer whose cause is known.
    package struct Known: Sendable {
        /// As it came.
        package let answer: Answer
        /// It belongs to a run that closed its kind: it says nothing about its operation.
        package let isOfRun: Bool
    }

    private var withheld: [OperationKind: [(answer: Answer, status: Int)]] = [:]
    /// The kinds that are closed, with the status that each of their operations got.
    package private(set) var closed: [OperationKind: Int] = [:]

    /// No answer has come yet.
    package init() {}

    /// Notes an answer; `refusal` is its status if it can be somebody else's. One that `isRefused` otherwise ends the
    /// run of its kind. Returns the answers whose cause is known now.
    package mutating func note(
        _ answer: Answer, of kind: OperationKind, refusal: Int?, isAccepted: Bool,
        isRefused: Bool = false
    ) -> [Known] {
        guard let refusal else {
            let known = isAccepted ? end() : isRefused ? end(of: kind) : []
            return known + [Known(answer: answer, isOfRun: false)]
        }
        if closed[kind] == refusal { return [Known(answer: answer, isOfRun: true)] }
        if closed[kind] != nil { return [Known(answer: answer, isOfRun: false)] }
        let earlier = withheld[kind]?.first?.status == refusal ? [] : end(of: kind)
        withheld[kind, default: []].append((answer, refusal))
        guard withheld[kind]?.count == RefusalRun.length else { return earlier }
        closed[kind] = refusal
        return earlier + end(of: kind)
    }

    /// The withheld answers: no run has become long enough.
    package mutating func end() -> [Known] {
        let order: [OperationKind] = [.delete, .update, .create]
        return order.flatMap { end(of: $0) }
    }

    private mutating func end(of kind: OperationKind) -> [Known] {
        let isOfRun = closed[kind] != nil
        return (withheld.removeValue(forKey: kind) ?? []).map {
            Known(answer: $0.answer, isOfRun: isOfRun)
        }
    }
}

/// What a run of refusals is.
package enum RefusalRun: Sendable {
    /// So many in a row are not about their operations.
    package static let length = 10
    /// So many refusals of one operation that did not count are about it after all.
    package static let ownAtMost = 10
}
