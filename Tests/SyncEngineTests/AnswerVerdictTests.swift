import APIClient
import Rules
import Store
import SyncEngine
import Testing

/// Written down from the table of outcomes in the reliability page, status by status.
@Suite struct AnswerVerdictTests {
    private static let createTable: [(ClosedRange<Int>, AnswerVerdict)] = [
        (100...299, .doubtful), (300...300, .elsewhere), (301...301, .misconfigured),
        (302...306, .elsewhere), (307...308, .misconfigured), (309...399, .elsewhere),
        (400...400, .rejected), (401...401, .credentials),
        (402...403, .rejected), (404...405, .misconfigured), (406...406, .rejected),
        (407...407, .notApplied), (408...409, .doubtful), (410...420, .rejected),
        (421...421, .notApplied), (422...422, .rejected), (423...423, .notApplied),
        (424...424, .rejected), (425...425, .notApplied), (426...428, .rejected),
        (429...429, .notApplied), (430...499, .rejected), (500...999, .doubtful),
    ]

    private static let deleteTable: [(ClosedRange<Int>, AnswerVerdict)] = [
        (100...299, .doubtful), (300...300, .elsewhere), (301...301, .misconfigured),
        (302...306, .elsewhere), (307...308, .misconfigured), (309...399, .elsewhere),
        (400...400, .rejected), (401...401, .credentials),
        (402...403, .rejected), (404...404, .saidToBeGone), (405...406, .rejected),
        (407...407, .notApplied), (408...409, .doubtful), (410...410, .saidToBeGone),
        (411...420, .rejected), (421...421, .notApplied), (422...422, .rejected),
        (423...423, .notApplied), (424...424, .rejected), (425...425, .notApplied),
        (426...428, .rejected), (429...429, .notApplied), (430...499, .rejected),
        (500...999, .doubtful),
    ]

    @Test(arguments: [OperationKind.create, .delete])
    func `every status means what the table says`(kind: OperationKind) {
        var seen = 0
        for (codes, verdict) in kind == .create ? Self.createTable : Self.deleteTable {
            for code in codes {
                for wait in [nil, Duration.seconds(5)] {
                    let error = APIError.status(
                        StatusFailure(code: code, reason: nil, retryAfter: wait))
                    // An answer that says when to come back is no refusal, whatever its status. After 408 and
                    // 409, nobody knows whether anything was done.
                    let isNotNow =
                        wait != nil && (400...499).contains(code)
                        && ![401, 408, 409].contains(code)
                    #expect(
                        AnswerVerdict.of(error, on: kind) == (isNotNow ? .notApplied : verdict),
                        "\(kind) \(code)")
                }
                seen += 1
            }
        }
        #expect(seen == 900)
    }

    @Test(arguments: [Int.min, -1, 0, 1, 99, 1000, .max], [OperationKind.create, .delete])
    func `a number that is no status decides nothing`(code: Int, kind: OperationKind) {
        let error = APIError.status(StatusFailure(code: code, reason: nil, retryAfter: nil))
        #expect(AnswerVerdict.of(error, on: kind) == .doubtful)
    }

    @Test(
        arguments: [
            (TransportError.invalidRequest(""), AnswerVerdict.notApplied),
            (.cannotConnect(""), .notApplied), (.untrusted(""), .notApplied),
            (.timedOut(mayHaveArrived: false), .notApplied),
            (.timedOut(mayHaveArrived: true), .doubtful),
            (.interrupted("", mayHaveArrived: false), .notApplied),
            (.interrupted("", mayHaveArrived: true), .doubtful), (.notHTTP(""), .doubtful),
            (.bodyTooLarge(limit: 1), .doubtful), (.headerTooLarge(limit: 1), .doubtful),
            (.cancelled(mayHaveArrived: false), .notApplied),
            (.cancelled(mayHaveArrived: true), .doubtful),
        ], [OperationKind.create, .delete])
    func `without an answer it counts whether the request may have arrived`(
        pair: (TransportError, AnswerVerdict), kind: OperationKind
    ) {
        #expect(AnswerVerdict.of(.transport(pair.0), on: kind) == pair.1)
    }

    @Test(arguments: [OperationKind.create, .delete])
    func `an answer that cannot be read leaves doubt, what was never sent does not`(
        kind: OperationKind
    ) {
        #expect(AnswerVerdict.of(.emptyData, on: kind) == .doubtful)
        let malformed = AnswerVerdict.of(.malformed("x"), on: kind)
        #expect(malformed == (kind == .create ? .doubtful : .saidToBeGone))
        #expect(AnswerVerdict.of(.redirectRefused("x"), on: kind) == .doubtful)
        #expect(AnswerVerdict.of(.invalidRequest("x"), on: kind) == .notApplied)
        #expect(AnswerVerdict.of(.tokenStore("x"), on: kind) == .notApplied)
        #expect(AnswerVerdict.of(.bodyNotEncodable("x"), on: kind) == .rejected)
    }

    @Test func `what may have arrived is never taken for not applied`() {
        let errors: [APIError] = [
            .transport(.timedOut(mayHaveArrived: true)), .emptyData, .malformed(""),
            .redirectRefused(""), .transport(.notHTTP("")),
        ]
        for error in errors where error.mayHaveArrived {
            #expect(AnswerVerdict.of(error, on: .create) == .doubtful)
        }
    }
}

@Suite struct PullVerdictTests {
    private static let table: [(ClosedRange<Int>, SyncState)] = [
        (100...400, .misconfigured), (401...401, .needsCredentials), (402...402, .misconfigured),
        (403...403, .needsCredentials), (404...406, .misconfigured),
        (407...407, .needsCredentials), (408...408, .failing), (409...424, .misconfigured),
        (425...425, .failing), (426...428, .misconfigured), (429...429, .waiting),
        (430...499, .misconfigured), (500...999, .failing),
    ]

    @Test func `every status of a list shows as the state the table says`() {
        var seen = 0
        for (codes, state) in Self.table {
            for code in codes {
                let plain = StatusFailure(code: code, reason: nil, retryAfter: nil)
                let asking = StatusFailure(code: code, reason: nil, retryAfter: .seconds(3))
                #expect(PullVerdict.state(after: .status(plain)) == state, "\(code)")
                let asked =
                    code >= 400 && code != 401 && code != 408 ? SyncState.waiting : state
                #expect(PullVerdict.state(after: .status(asking)) == asked, "\(code)")
                seen += 1
            }
        }
        #expect(seen == 900)
    }

    @Test func `a login that is refused shows as wrong credentials, also with 400`() {
        for code in [400, 401, 403, 422] {
            var failure = StatusFailure(code: code, reason: nil, retryAfter: nil)
            failure.isOfLogin = true
            #expect(PullVerdict.state(after: .status(failure)) == .needsCredentials, "\(code)")
        }
    }

    @Test(arguments: [
        (TransportError.invalidRequest(""), SyncState.misconfigured),
        (.cannotConnect(""), .offline),
        (.untrusted(""), .untrusted), (.timedOut(mayHaveArrived: true), .offline),
        (.timedOut(mayHaveArrived: false), .offline),
        (.interrupted("", mayHaveArrived: true), .offline), (.notHTTP(""), .misconfigured),
        (.bodyTooLarge(limit: 1), .misconfigured), (.headerTooLarge(limit: 1), .misconfigured),
        (.cancelled(mayHaveArrived: true), .offline),
    ])
    func `every failure of the network shows as a state`(error: TransportError, state: SyncState) {
        #expect(PullVerdict.state(after: .transport(error)) == state)
    }

    @Test(arguments: [
        (APIError.emptyData, SyncState.misconfigured), (.malformed(""), .misconfigured),
        (.redirectRefused(""), .misconfigured), (.invalidRequest(""), .misconfigured),
        (.bodyNotEncodable(""), .misconfigured), (.tokenStore(""), .needsCredentials),
    ])
    func `an answer that cannot be used shows as a state`(error: APIError, state: SyncState) {
        #expect(PullVerdict.state(after: error) == state)
    }
}
