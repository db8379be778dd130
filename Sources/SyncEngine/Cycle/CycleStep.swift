public import Declarations
public import Store

/// How far a cycle is, for a person who waits.
public enum CycleStep: Sendable, Hashable {
    /// The list is being read.
    case pulling(ListName)
    /// So many of the pages have been read; the first one tells how many there are.
    case pulled(pages: Int, of: Int)
    /// The list has been read for another minute.
    case stillPulling(ListName, PullProgress)
    /// So many of the operations that this cycle may send have been answered.
    case sent(operations: Int, of: Int)
}
