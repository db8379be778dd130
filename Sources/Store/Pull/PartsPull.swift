internal import Declarations
package import Host
package import Rules
internal import Tables

/// The parts that a pull has asked for, and what became of them.
package struct PartsPull: Sendable {
    /// Those whose answers were read to their end, or as far as they went.
    package var read: [PartRead] = []
    /// Those that could not be read.
    package var failed: [PartFailure] = []
    /// Every part that there was when the pull began.
    package let all: [PartMemory]
    /// The round that goes on.
    package let round: Int64
    /// A person asks for all of them.
    package var isWhole = false

    /// Nothing was asked for yet.
    package init(all: [PartMemory], round: Int64) { (self.all, self.round) = (all, round) }

    /// A part whose pages came.
    package struct PartRead: Sendable {
        /// What is remembered of it.
        package let part: PartMemory
        /// Its pages, in their order.
        package let pages: [PublishedPage]
        /// When its first request was made, less the age of its answers.
        package let began: BootTime
        /// From how many lists in a row a row has to be absent; nil: it is not read to its end.
        var pullsToLeave: Int?

        /// A part that was asked for from `began` on.
        package init(part: PartMemory, pages: [PublishedPage], began: BootTime) {
            (self.part, self.pages, self.began) = (part, pages, began)
        }
    }

    /// A part that the server did not show.
    package struct PartFailure: Sendable, Hashable {
        /// What it is called.
        package let name: String
        /// Why, in one sentence.
        package let error: String
        /// The server says that there is nothing to be seen: what could have moved there cannot be seen either.
        package let isRefusal: Bool

        /// A part that failed.
        package init(name: String, error: String, isRefusal: Bool) {
            (self.name, self.error, self.isRefusal) = (name, error, isRefusal)
        }
    }

    /// The same with what its pages say of how far each part was read. None is that has one of these `pages`.
    func judged(by table: ListTable, without pages: Set<Int>) -> PartsPull {
        var judged = self
        let paging = table.declaration.paging
        for (index, part) in read.enumerated() {
            let facts = part.pages.map(\.facts)
            let rows = facts.reduce(Int64(0)) { $0 + $1.rows }
            let unidentified = facts.reduce(Int64(0)) { $0 + $1.unidentified }
            let gap = ListGap.of(
                ListFacts(rows: rows, unidentified: unidentified), pages: facts, paging: paging)
            guard gap == nil, !part.pages.contains(where: { pages.contains($0.number) }) else {
                continue
            }
            let new = facts.reduce(Int64(0)) { $0 + $1.newRows }
            judged.read[index].pullsToLeave =
                PageReach.of(
                    facts, paging: paging, hasDoubledRow: facts.count > 1 && new < rows
                ).pullsToLeave
        }
        return judged
    }

    /// The pages of all parts.
    var pages: [PublishedPage] { read.flatMap(\.pages) }

    /// From how many rounds in a row a row has to be absent: it can have moved, where there is another part.
    var roundsToLeave: Int64 { all.count > 1 ? 2 : 1 }

    /// Whether every part is read in this round, once this pull is taken.
    var endsRound: Bool {
        let done = Set(
            read.filter { $0.pullsToLeave != nil }.map(\.part.name)
                + failed.filter(\.isRefusal).map(\.name))
        return all.allSatisfy { done.contains($0.name) || ($0.round ?? 0) >= round }
    }

    /// The count of a row that is missed for the first time in a part of which so many lists have to lack it.
    func firstCount(_ pullsToLeave: Int) -> Int64 {
        roundsToLeave + 1 - max(Int64(pullsToLeave), roundsToLeave)
    }
}
