import APIClient
import Host
import SQLite
import Store
import SyncEngine
import TestSupport
import Text

/// What remains, though every rule holds: docs/reliability.md has it in words.
package enum EditResidue: String, Sendable, Hashable, CaseIterable {
    /// Another client wrote between our pull and our write.
    case race
    /// What our update had changed was set back exactly, and the answer was lost.
    case setBack
    /// A row whose create was in doubt was changed by others, and we had never seen that.
    case unseen
    /// A row whose create was in doubt was changed by others, so that it was not found.
    case recreated
    /// Another client's row was taken for ours, which was equal.
    case adopted
    /// Under `mine`, a delete takes what others have written with it.
    case deletedEdit
    /// An id was used again for a row of equal identity.
    case alike
    /// An id was used again whose row another client has deleted, while our write of that row was on its way.
    case reused
    /// A person ended a doubt, and what was sent before took effect late, or twice.
    case ended
    /// Another client wrote what we wanted to, and our edit was never sent, or did not arrive.
    case equal
    /// What the server made of our own value stands in conflicts.
    case altered
    /// Another client wrote exactly a value that was ours before.
    case echo
    /// Another client's value came in the answer to our own write of that field, and counted as the server's form.
    case form
    /// The server did not take our value, and another client's value hides that.
    case hidden
    /// A create was refused in a success and done all the same, and its row was deleted or edited here meanwhile.
    case refused
    /// A row that a filter hides counted as gone, where one row cannot be read.
    case filtered
    /// A list that lagged showed what was before: more than a minute after the answer, because the server acted late,
    /// or after a read beside an older list had shown more.
    case outdated
}

/// One run: a program of the person, syncd with its cache, a server, and other clients.
///
/// One serial executor runs all of it.
final class EditWorld {
    static let timeout: Int64 = 10_000

    let plan: EditPlan
    let cache: EditCache
    let isTraced: Bool
    /// In milliseconds, whatever the machine does.
    private(set) var now: Int64 = 3_600_000
    /// The boots before this one, and when this one began.
    private(set) var boots = 0
    private(set) var bootBegan: Int64 = 0
    var server: EditServer
    var ledger = EditLedger()
    /// The last image that was looked at, and the changes that the connection had made then.
    private var looked: (image: EditImage, changes: Int64)?
    /// What was sent last of each operation, and what tells it from what was sent before.
    private var shipments: [Int64: (name: String, shipment: EditShipment)] = [:]
    var late: [EditLateRequest] = []
    /// What is under way.
    var cycle: EditCycle?
    /// Which row of the server syncd has last seen under an id, in a list that it has taken in.
    private(set) var listedInstances: [String: Int] = [:]
    /// Which row of the server answered a create.
    var answeredInstances: [Int64: (id: String, instance: Int)] = [:]
    /// No two processes get the same bytes of a list, nor before and after a program wrote.
    var lives = 0
    var scripts = 0
    var hasForeignWrites = false
    /// The targets of reads that a proxy has answered with 404.
    var deniedReads: Set<String> = []
    /// A list, or an answer, that syncd took before this cycle has shown a mark of ours.
    var knowsMarks = false
    private var hasSeenMark = false
    /// Rows of the server that a list has lacked.
    var unlisted: Set<Int> = []
    /// What a cache before the server keeps.
    var cachedList: EditCachedList?
    /// Answers of which syncd has not written down yet that they came.
    var heard: [Int64: EditHeardAnswer] = [:]
    private(set) var problems: [String] = []
    private(set) var trace: [String] = []
    private(set) var residues: Set<EditResidue> = []

    init(_ plan: EditPlan, cache: EditCache, isTraced: Bool) throws {
        self.plan = plan
        self.cache = cache
        self.isTraced = isTraced
        server = EditServer(plan.setting)
        try cache.empty()
    }

    var setting: EditSetting { plan.setting }

    func note(_ line: @autoclosure () -> String) {
        if isTraced { trace.append("\(now - 3_600_000): \(line())") }
    }

    func blame(_ law: String) {
        problems.append(law)
        note("!! \(law)")
    }

    func count(_ residue: EditResidue, _ what: @autoclosure () -> String) {
        residues.insert(residue)
        note("(\(residue.rawValue): \(what()))")
    }

    // MARK: Time

    /// The machine starts anew, which takes its time.
    func reboot(_ random: SeededRandom) {
        lives += 1
        pass([3000, 15_000, 90_000][random.index(3)])
        boots += 1
        bootBegan = now - Int64(random.index(2000))
        note("boot \(boots)")
    }

    /// What is late takes effect by its time or never.
    func pass(_ milliseconds: Int64) {
        let next = now + milliseconds
        while let index = late.firstIndex(where: { $0.until < next }) {
            let request = late.remove(at: index)
            server.remember(at: now)
            now = max(now, request.until)
            if request.promised != nil
                || (request.shipment.operation.sequence &+ Int64(plan.seed & 0xFF)) % 2 == 0
            {
                arrive(request)
            }
        }
        server.remember(at: now)
        now = max(now, next)
    }

    func arrive(_ request: EditLateRequest) {
        note("late:")
        ledger.late.insert(request.shipment.operation.row)
        _ = apply(request.request, request.shipment, request.manner)
    }

    // MARK: The cache

    /// As it is committed now.
    func image() -> EditImage {
        do {
            let (reader, seen) = (cache.reader, looked?.changes)
            let found = try cache.with { connection -> (EditImage, Int64)? in
                let changes = connection.totalChanges
                return changes == seen ? nil : (try reader.image(connection), changes)
            }
            if let found { looked = found }
        } catch {
            blame("the cache cannot be read: \(error)")
        }
        return looked?.image ?? EditImage()
    }

    /// Every conflict so far; what is new is noted.
    func conflicts() -> [EditImage.Conflict] {
        do {
            let (reader, last) = (cache.reader, ledger.conflicts.last?.sequence ?? 0)
            let new = try cache.with { try reader.conflicts($0, after: last) }
            for conflict in new { note(conflict) }
        } catch {
            blame("the conflicts cannot be read: \(error)")
        }
        return ledger.conflicts
    }

    private func note(_ conflict: EditImage.Conflict) {
        ledger.conflicts.append(conflict)
        note(
            "conflict of row \(conflict.row): \(conflict.field) \(conflict.reason),"
                + " mine \(conflict.mine ?? "NULL"), theirs \(conflict.theirs ?? "NULL")")
        if conflict.reason == "gone", isReadable(conflict.row) {
            blame("NOT_GONE: row \(conflict.row) is at the server, and can be read")
        }
        judgeConflict(conflict)
        noteTold(conflict)
    }

    /// A list has lacked the row, and nothing else could show it.
    func isHiddenByFilter(_ row: Int64) -> Bool {
        !setting.declaration.reads && isUnlisted(row)
    }

    /// A list has lacked the row since, which is at the server.
    func isUnlisted(_ row: Int64) -> Bool {
        ledger.firstInstance[row].map { unlisted.contains($0) } ?? false
    }

    /// The server has the row, and would show it if it were asked for it alone.
    func isReadable(_ row: Int64) -> Bool {
        guard setting.declaration.reads, !setting.declaration.reusesIDs,
            let instance = ledger.firstInstance[row],
            let found = server.rows.first(where: { $0.instance == instance })
        else { return false }
        return !deniedReads.contains("\(Self.list)/\(found.id)")
    }

    /// Notes what is being sent, before a program can write again.
    func noteIntents() {
        let image = image()
        noteBindings(image)
        noteHeard(image)
        for operation in image.operations where operation.state == "sending" {
            let name = "\(operation.intent) \(operation.attempts) \(operation.sent)"
            guard shipments[operation.sequence]?.name != name else { continue }
            checkFirst(operation)
            var edits: [Int: Int] = [:]
            for field in operation.sent.indices {
                guard case .some(let value) = operation.sent[field] else { continue }
                guard let edit = ledger.newestKept(of: operation.row, field),
                    ledger.edits[edit].value == value
                else {
                    blame(
                        "INVENTED: \(EditField.all[field].name) of row \(operation.row) is sent as"
                            + " \(value ?? "NULL"), which is not the newest edit")
                    continue
                }
                edits[field] = edit
            }
            checkFirst(edits, of: operation)
            noteWholeCreate(operation)
            let shipment = EditShipment(
                operation: operation, edits: edits, base: image.rows[operation.row]?.base,
                seenAtDelete: ledger.seenAtDelete[operation.row],
                instance: ledger.firstInstance[operation.row],
                listed: image.rows[operation.row]?.serverID.flatMap { cycle?.shownAt[$0] } ?? 0,
                intent: bootBegan + operation.intent)
            shipments[operation.sequence] = (name, shipment)
            for edit in edits.values { ledger.change(edit) { $0.listed = shipment.listed } }
        }
    }

    /// A create has every value that its row was given, and that no program has dropped.
    private func noteWholeCreate(_ operation: EditImage.Operation) {
        guard operation.kind == "create" else { return }
        for field in operation.sent.indices where operation.sent[field] == nil {
            guard let edit = ledger.newestKept(of: operation.row, field),
                let value = ledger.edits[edit].value
            else { continue }
            blame(
                "LEFT_OUT: \(EditField.all[field].name) of row \(operation.row), which is \(value),"
                    + " is not in its create")
        }
    }

    /// syncd has taken the list of this cycle in.
    func noteListTaken() {
        guard let list = cycle?.list else { return }
        listedInstances = list
        cycle?.list = nil
        noteMarks(of: Set(list.values))
    }

    /// From the next cycle on, syncd knows what the server makes of marks.
    func noteMarks(of instances: Set<Int>) {
        hasSeenMark =
            hasSeenMark
            || server.rows.contains { $0.mark != nil && instances.contains($0.instance) }
    }

    func beginMarks() { knowsMarks = hasSeenMark }

    /// The edits of the row that are on their way.
    func shipped(_ row: Int64, in image: EditImage) -> [Int: Int] {
        image.undecided(row).flatMap { shipments[$0.sequence]?.shipment.edits } ?? [:]
    }

    /// The newest edit that the last request of the operation had.
    func newestSent(by operation: Int64) -> Int? {
        shipments[operation]?.shipment.edits.values.max()
    }

    /// What `request` is.
    func shipment(of request: HTTPRequest) -> EditShipment? {
        let image = image()
        let sending = image.operations.first { operation in
            guard operation.state == "sending" else { return false }
            if request.method == .post, request.target == "/notes" {
                return operation.kind == "create"
                    && request.value(of: "Idempotency-Key") == operation.key
            }
            let id = request.rowID
            return operation.kind == (server.isDelete(request) ? "delete" : "update")
                && image.rows[operation.row]?.serverID == id
        }
        return sending.flatMap { shipments[$0.sequence]?.shipment }
    }
}

extension HTTPRequest {
    func value(of name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

    /// The second segment of its path.
    var rowID: String {
        let segments = target.split(separator: "/")
        return segments.count > 1 ? String(segments[1]) : ""
    }
}

@available(*, unavailable) extension EditWorld: Sendable {}

/// A cycle that is under way.
struct EditCycle {
    let step: EditStep
    var requests = 0
    var looks = 0
    /// Which row of the server its list shows under an id, until it is taken in.
    var list: [String: Int]? { didSet { hasListed = hasListed || list != nil } }
    /// A list was asked for. A row that is read, and that it has not shown, may go by no edit.
    private(set) var hasListed = false
    /// When its list, or its read, has shown a row of the server.
    var shownAt: [String: Int] = [:]
    /// What the server has shown of rows of the cache, which syncd may not have taken in yet.
    var shown: [(row: Int64, values: [String?])] = []
    /// syncd has died in it.
    var isDead = false

    func disturbances(at place: Int) -> [EditDisturbance] {
        step.disturbances.filter { $0.place == place && $0.kind != .deathAtLook }
    }
}
