/// Where an operation stands.
public enum OperationState: String, Sendable, Hashable {
    /// Waiting to be sent.
    case queued
    /// Its intent is on the disk, its answer is not there yet.
    case sending
    /// Sent, with the answer lost: a pull decides it.
    case inDoubt = "in doubt"
    /// Refused by the server for good; the person retries or drops it.
    case rejected
}
