internal import APIClient
internal import Declarations
internal import Store

extension ResourceCycle {
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
            report.identity = identity
            return nil
        case .refused(let difference, let cached, let waiting):
            return CycleFailure(
                changesOf: cached, not: identity, by: difference, in: name, waiting: waiting)
        }
    }
}
