extension CacheStore {
    /// How much a commit must survive.
    enum Durability: String {
        /// Power loss: what a person must not lose (queue, intent, acknowledgement).
        case full = "FULL"
        /// A crash of the process: what the next pull brings again.
        case normal = "NORMAL"
    }
}
