internal import Declarations
internal import Host

extension ServerLanes {
    /// A request that is under way.
    private struct UnderWay {
        let use: Use
        let list: ListName
        let since: BootTime

        /// When it does not keep a list's requests from its lane any more; nil where it never does, or always.
        func end(for other: ListName, at now: BootTime) -> BootTime? {
            guard list != other, now.elapsed(since: since) < ServerLanes.moment else { return nil }
            return since.advanced(by: ServerLanes.moment)
        }

        func isInTheWay(of other: ListName, at now: BootTime) -> Bool {
            list == other || now.elapsed(since: since) < ServerLanes.moment
        }
    }

    /// A request that waits for its turn.
    private struct Waiting {
        let number: Int
        let use: Use
        let list: ListName
        /// Nil until its task waits.
        var admission: CheckedContinuation<Void, Never>?
        /// Waits for something that ends by itself to be in its way: see ``State/watch(_:_:)``.
        var watch: CheckedContinuation<Duration?, Never>?
    }

    /// Who is under way, and who waits.
    struct State {
        let most: Int
        var pace = Pace()
        /// One waits for its moment; the others wait behind it.
        var isDoorTaken = false
        private var underWay: [Int: UnderWay] = [:]
        private var waiting: [Waiting] = []
        /// Those that were admitted before their task waited.
        private var early: Set<Int> = []
        private var numbers = 0
        private var last = Use.write

        init(most: Int) { self.most = most }

        var waitingCount: Int { waiting.count }

        /// Takes the door, if nobody else waits for it and there is a lane.
        mutating func goesToDoor(_ use: Use, of list: ListName, at now: BootTime) -> Bool {
            guard !isDoorTaken, hasLane(for: use, of: list, at: now) else { return false }
            isDoorTaken = true
            last = use
            return true
        }

        /// Adds one that waits. Returns its number.
        mutating func add(_ use: Use, of list: ListName) -> Int {
            numbers += 1
            waiting.append(Waiting(number: numbers, use: use, list: list))
            return numbers
        }

        /// Resumes `admission` when this one may go to the door. Returns whether it may already.
        mutating func admit(
            _ number: Int, _ admission: CheckedContinuation<Void, Never>
        ) -> Bool {
            guard early.remove(number) == nil else { return true }
            if let index = waiting.firstIndex(where: { $0.number == number }) {
                waiting[index].admission = admission
            }
            return false
        }

        /// Resumes `watch` with the time after which a request will not be in the way of this one any more, as soon as
        /// there is such a request; with nil once it waits no more. Returns whether it waits.
        mutating func watch(
            _ number: Int, _ watch: CheckedContinuation<Duration?, Never>
        ) -> Bool {
            guard let index = waiting.firstIndex(where: { $0.number == number }) else {
                return false
            }
            waiting[index].watch = watch
            return true
        }

        mutating func begin(_ use: Use, of list: ListName, at now: BootTime) -> Turn {
            numbers += 1
            underWay[numbers] = UnderWay(use: use, list: list, since: now)
            return Turn(number: numbers, start: pace.begin(at: now))
        }

        mutating func end(_ turn: Turn) { underWay[turn.number] = nil }

        func hasLane(for use: Use, of list: ListName, at now: BootTime) -> Bool {
            let inTheWay = underWay.values.filter { $0.isInTheWay(of: list, at: now) }
            return pace.isTrying
                ? inTheWay.isEmpty : inTheWay.count(where: { $0.use == use }) < most
        }

        /// What is to be told of the state as it is now: to one that may go to the door, and to those that watch.
        mutating func changes(at now: BootTime) -> [@Sendable () -> Void] {
            var changes: [@Sendable () -> Void] = []
            if let admitted = admitted(at: now) {
                if let admission = admitted.admission {
                    changes.append { admission.resume() }
                } else {
                    early.insert(admitted.number)
                }
                if let watch = admitted.watch { changes.append { watch.resume(returning: nil) } }
            }
            for index in waiting.indices {
                guard let watch = waiting[index].watch,
                    let end = nextEnd(for: waiting[index].list, at: now)
                else { continue }
                waiting[index].watch = nil
                changes.append { watch.resume(returning: end.elapsed(since: now)) }
            }
            return changes
        }

        private mutating func admitted(at now: BootTime) -> Waiting? {
            guard !isDoorTaken else { return nil }
            for use in [last.other, last] {
                let next = waiting.firstIndex {
                    $0.use == use && hasLane(for: use, of: $0.list, at: now)
                }
                guard let next else { continue }
                isDoorTaken = true
                last = use
                return waiting.remove(at: next)
            }
            return nil
        }

        private func nextEnd(for list: ListName, at now: BootTime) -> BootTime? {
            isDoorTaken
                ? nil
                : underWay.values.compactMap { $0.end(for: list, at: now) }
                    .min { $0.milliseconds < $1.milliseconds }
        }
    }

    /// Waits until the request may go to the door.
    func wait(for use: Use, of list: ListName, by time: any TimeSource) async {
        let number = pass(by: time) { $0.add(use, of: list) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await withCheckedContinuation { admission in
                    if self.pass(by: time, { $0.admit(number, admission) }) { admission.resume() }
                }
            }
            group.addTask {
                // Nobody tells that a request has taken a moment.
                while let wait = await self.look(number, by: time) {
                    await time.wait(for: wait)
                    self.pass(by: time) { _ in }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func look(_ number: Int, by time: any TimeSource) async -> Duration? {
        await withCheckedContinuation { watch in
            if !pass(by: time, { $0.watch(number, watch) }) { watch.resume(returning: nil) }
        }
    }
}
