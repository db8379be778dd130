/// What a server makes of the marks that creates carry.
public enum MarkKeeping: String, Sendable, Hashable, CaseIterable {
    /// It stores them as they were sent: creates are looked for by them alone.
    case kept
    /// It stores none.
    case dropped
    /// It stores the beginning of each.
    case cut
    /// It stores something else.
    case altered

    /// What a row of ours shows of the mark that it was sent with.
    public init(sent: String, shown: String?) {
        guard let shown, !shown.isEmpty else {
            self = .dropped
            return
        }
        if sent.utf8.elementsEqual(shown.utf8) {
            self = .kept
        } else {
            self = sent.utf8.starts(with: shown.utf8) ? .cut : .altered
        }
    }

    /// What is known after one more row: a server that once did not keep a mark is not believed again.
    package static func known(_ before: MarkKeeping?, and seen: MarkKeeping) -> MarkKeeping {
        guard let before, before != .kept else { return seen }
        return before
    }

    /// Whether `shown` can be what a server made of the mark `sent`, and not the mark of somebody else.
    static func isForm(_ shown: String?, of sent: String) -> Bool {
        guard let shown, !shown.isEmpty else { return true }
        return start(of: shown) == start(of: sent)
    }

    /// The first of its letters and digits: what servers leave of a mark at least, in whichever case.
    static func start(of mark: String) -> [UInt8] {
        let isKept = { (byte: UInt8) in (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
        }
        return Array(mark.lowercased().utf8.lazy.filter(isKept).prefix(8))
    }
}
