internal import APIClient
internal import Declarations
internal import Store

extension ListCycle {
    /// Looks whether the list is the one whose rows the table has, before anything is sent or taken, and again where
    /// a request can have brought another credential. Returns why it is not.
    ///
    /// The identity stays in `report`: what is sent in this cycle is sent as that.
    func recognise(in report: inout CycleReport) async throws(StoreError) -> CycleFailure? {
        let identity: ListIdentity?
        do throws(APIError) {
            identity = try source.identity()
        } catch {
            return CycleFailure(pull: error)
        }
        guard let identity, identity != report.identity else { return nil }
        switch try await engine.store.recognise(source.table, as: identity) {
        case .known, .madeAnew:
            return try await confirmOwner(of: identity, in: &report, isAskedAgain: false)
        case .refused(let difference, let cached, let waiting):
            return CycleFailure(
                changesOf: cached, not: identity, by: difference, in: name, waiting: waiting)
        }
    }

    /// Asks the server whose the credential is, before a list takes more than one row away: a server may answer a
    /// credential that it does not know any more with a part of the list.
    func confirmOwnerBeforeRemovals(
        in report: inout CycleReport
    ) async throws(StoreError) -> CycleFailure? {
        guard source.whoami != nil, let identity = report.identity,
            try await engine.store.missingRows(of: source.table) > 1
        else { return nil }
        return try await confirmOwner(of: identity, in: &report, isAskedAgain: true)
    }

    /// Asks with a credential that was never asked with, or in any case.
    private func confirmOwner(
        of identity: ListIdentity, in report: inout CycleReport, isAskedAgain: Bool
    ) async throws(StoreError) -> CycleFailure? {
        report.identity = identity
        guard let whoami = source.whoami else { return nil }
        let known = try await engine.store.owner(of: name)
        guard isAskedAgain || known.name == nil || known.askedWith != identity.credential else {
            return nil
        }
        let answered: String?
        do throws(APIError) {
            answered = try await ask(whoami)
            // A credential that was refused has given way to another one, which has answered.
            report.identity = try source.identity()
        } catch {
            report.identity = nil
            return CycleFailure(pull: error)
        }
        guard let answered else {
            report.identity = nil
            return CycleFailure(noAccountIn: whoami, of: name)
        }
        guard known.name == nil || known.name == answered else {
            report.identity = nil
            return CycleFailure(
                rowsOf: known.name ?? "", not: answered, in: name,
                without: source.client.secrets)
        }
        try await engine.store.note(
            ListOwner(name: answered, askedWith: report.identity?.credential), of: name)
        return nil
    }

    /// What the server calls the account; nil where the answer does not say it.
    private func ask(_ whoami: WhoAmI) async throws(APIError) -> String? {
        let share = engine.bodies.share()
        defer { withExtendedLifetime(share) {} }
        let answer = try await source.read(
            source.client.target(of: whoami.path, parameters: []), for: engine, share: share)
        guard case .body(let body, _, _) = answer else { return nil }
        return whoami.account(in: body)
    }
}
