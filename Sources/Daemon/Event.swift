internal import Declarations
internal import Store
internal import SyncEngine

/// What the loop is told: by a source, or by the end of something it began.
enum Event: Sendable {
    case woken(Wake)
    case foundWrites(Result<WriteSign, StoreError>)
    case foundRequests(Result<Agenda.FoundRequests, StoreError>)
    case cycleEnded(ListName, Result<CycleReport, StoreError>)
    case finished(Result<Void, StoreError>)
    case stood(Result<Standing, StoreError>)
    case reloaded(Result<any CycleRunner, ReloadError>)

    var asksToStop: Bool {
        if case .woken(.stop) = self { true } else { false }
    }
}
