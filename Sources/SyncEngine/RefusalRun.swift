/// Refusals of many operations by one hand: a firewall's 403 says nothing about any of them.
///
/// They are withheld until their cause is known. Law: if ``length`` operations in a row get the
/// same status of 403, 404 or 405, with no success between, the service is the cause, and no
/// operation of the run is rejected. In a shorter run, each refusal is about its operation.
struct RefusalRun {
    /// So many in a row are the service's.
    static let length = 10

    private var withheld: [Attempt] = []

    /// The run is long enough: nothing more is sent.
    var isOfService: Bool { withheld.count >= Self.length }

    var status: Int? { withheld.first?.refusal }

    /// Notes an answer; returns the answers that are now known to be about their operations.
    mutating func note(_ attempt: Attempt) -> [Attempt] {
        if isOfService {
            guard attempt.refusal == status else { return [attempt] }
            withheld.append(attempt)
            return []
        }
        guard let refusal = attempt.refusal else {
            return attempt.isAccepted ? end() + [attempt] : [attempt]
        }
        let earlier = refusal == status ? [] : end()
        withheld.append(attempt)
        return earlier
    }

    /// The withheld answers: as they came, or as not applied if the service is the cause of the
    /// run.
    mutating func end() -> [Attempt] {
        defer { withheld = [] }
        return isOfService ? withheld.map(\.asNotApplied) : withheld
    }
}
