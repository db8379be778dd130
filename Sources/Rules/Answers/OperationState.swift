/// Where an operation stands.
public enum OperationState: String, Sendable, Hashable {
    /// Waiting to be sent.
    case queued
    /// Its intent is on the disk, its answer is not there yet.
    case sending
    /// Sent, with the answer lost: a pull decides it.
    case inDoubt = "in doubt"
    /// The server said yes, and no list has shown yet that it did so. It is never sent again.
    case acknowledged
    /// Refused by the server for good; the person retries or drops it.
    case rejected
}
