/// A refusal that leaves doubt: the server has answered, in a way that does not say for certain whether it did it.
package enum DoubtfulRefusal {
    /// Whether an answer with the status `code` is one; nil: there was no answer. 408 says that the request did not come
    /// in time, and from 500 on the server has failed.
    package static func isOne(status code: Int?) -> Bool {
        code.map { (200..<500).contains($0) && $0 != 408 } ?? false
    }

    /// Whether the server has looked at the request itself and refuses it: not whoever sends it (401, 403), how often
    /// (429), or that it comes too early or beside another one (408, 409, 425).
    package static func isOfRequest(status code: Int?) -> Bool {
        code.map { (400..<500).contains($0) && ![401, 403, 408, 409, 425, 429].contains($0) }
            ?? false
    }
}
