/// How an operation stands after its settlement.
public enum Settled: Sendable, Hashable {
    /// The server has acknowledged it, and it is never sent again.
    case done
    /// The same of a create whose row the answer did not name: lists find it.
    case acknowledged
    /// The create, its waiting delete and the row are gone: nobody wants it any more.
    case withdrawn
    /// It waits to be sent again.
    case queued
    /// The same of one that was refused while something older waited: it goes again behind that.
    case behind
    /// A pull decides it.
    case inDoubt
    /// It waits for the person.
    case rejected
}
