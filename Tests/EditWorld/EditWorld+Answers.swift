import APIClient
import TestSupport

/// What the server answers, and what syncd can know by it.
extension EditWorld {
    /// The target of the list.
    static let list = "/notes"

    func list(_ request: HTTPRequest, at seed: UInt64) -> HTTPResponse {
        let (snapshot, age) = shownList(at: seed)
        let shown = listedRows(snapshot)
        let spelling = EditSpelling(setting, at: seed)
        let out = setting.declaration.hasWhile ? snapshot.rows.filter { !setting.lists($0) } : []
        let rows =
            ((shown + out).map { server.members($0, spelling) }
            + snapshot.marked.map { server.members($0, spelling, isOut: true) })
            .map(spelling.object).joined(separator: ",")
        let delay = snapshot.time < now ? " of \(now - snapshot.time) ms ago" : ""
        note("server: lists \(shown.map { server.text($0) }.joined(separator: ","))\(delay)")
        let tag = "\"\(lives) \(rows.map { $0 == "\"" ? "'" : $0 }.map { String($0) }.joined())\""
        let image = image()
        cycle?.list = Dictionary((shown + out).map { ("\($0.id)", $0.instance) }) { $1 }
        for row in shown + out + snapshot.marked { cycle?.shownAt["\(row.id)"] = snapshot.moment }
        noteUnlisted(shown)
        for row in image.rows.values {
            guard let id = row.serverID,
                let shown = (shown + out + snapshot.marked).first(where: { "\($0.id)" == id })
            else { continue }
            noteShown(shown, as: row.id, at: snapshot)
            if snapshot.moment < ledger.read[row.id] ?? 0 { ledger.goneBack.insert(row.id) }
        }
        var fields = setting.hasEntityTags ? [HTTPField("ETag", tag)] : []
        if let age { fields.append(HTTPField("Age", "\(age / 1000)")) }
        if setting.hasEntityTags, request.value(of: "If-None-Match") == tag {
            return HTTPResponse(status: 304, fields: fields)
        }
        return HTTPResponse(
            status: 200, fields: fields + [HTTPField("Content-Type", "application/json")],
            body: Array("{\"life\":\"\(cache.runs) \(lives) \(scripts)\",\"rows\":[\(rows)]}".utf8))
    }

    /// What the list shows: the server, a replica that lags, or a cache before it, which may tell its age.
    private func shownList(at seed: UInt64) -> (EditSnapshot, age: Int64?) {
        if let kept = cachedList, now - kept.snapshot.time <= kept.life {
            return (kept.snapshot, kept.tellsAge ? now - kept.snapshot.time : nil)
        }
        cachedList = nil
        let isKept = setting.unkindness.happens(.cache, at: seed)
        let isKeptInSilence = setting.unkindness.happens(.silentCache, at: seed)
        let lag = isKept || isKeptInSilence ? 0 : self.lag(.listsLag, at: seed)
        let snapshot = server.snapshot(at: now - lag, now: now)
        if isKept || isKeptInSilence {
            cachedList = EditCachedList(
                snapshot: snapshot, tellsAge: isKept, life: isKept ? 120_000 : 50_000)
        }
        return (snapshot, isKept ? 0 : nil)
    }

    /// How long ago an answer shows the server.
    private func lag(_ one: EditUnkindness, at seed: UInt64) -> Int64 {
        guard setting.unkindness.happens(one, at: seed) else { return 0 }
        let random = EditUnkindnesses.random(one, seed &+ 1)
        let lag = [3000, 20_000, 55_000, random.number(upTo: 55_000)][random.index(4)]
        // What comes later, and is shown later, is shown within a minute of its answer.
        return setting.unkindness.has(.isLater) ? min(lag, 19_000) : lag
    }

    /// Rows of the server that this list lacks. One that we have made is no such row until a minute after the answer.
    private func noteUnlisted(_ shown: [EditServerRow]) {
        let listed = Set(shown.map(\.instance))
        for row in server.rows where !listed.contains(row.instance) {
            if case .ours(let local) = row.origin, let answered = ledger.creates[local],
                now < answered + 60_000, setting.lists(row)
            {
                continue
            }
            unlisted.insert(row.instance)
        }
    }

    /// The rows of the server, but for those that a filter leaves out, and for one where the list is wrong.
    private func listedRows(_ snapshot: EditSnapshot) -> [EditServerRow] {
        let rows = snapshot.rows.filter(setting.lists)
        let lacking = cycle?.step.disturbances.first { $0.kind == .lacksRow }
        guard let lacking, !rows.isEmpty else { return rows }
        let place = Int(lacking.seed % UInt64(rows.count))
        return rows.enumerated().filter { $0.offset != place }.map(\.element)
    }

    /// One row, which a filter does not hide.
    func read(_ request: HTTPRequest, at seed: UInt64) -> HTTPResponse {
        let snapshot = server.snapshot(at: now - lag(.readsLag, at: seed), now: now)
        let id = request.rowID
        guard let row = snapshot.rows.first(where: { "\($0.id)" == id }) else {
            if let row = snapshot.marked.first(where: { "\($0.id)" == id }) {
                cycle?.shownAt[id] = snapshot.moment
                return content(row, EditSpelling(setting, at: seed), isOut: true)
            }
            if server.rows.contains(where: { "\($0.id)" == id }) {
                deniedReads.insert(request.target)
            }
            return refusal(404)
        }
        note("server: shows \(server.text(row))")
        let isBesideList = cycle?.hasListed == true && cycle?.shownAt[id] == nil
        cycle?.shownAt[id] = snapshot.moment
        for local in image().rows.values where local.serverID == id {
            noteShown(row, as: local.id, at: snapshot, endsEdits: isBesideList)
            ledger.read[local.id] = max(ledger.read[local.id] ?? 0, snapshot.moment)
        }
        return content(row, EditSpelling(setting, at: seed))
    }

    /// An answer with the row; of its fields `only` these.
    func content(
        _ row: EditServerRow, _ spelling: EditSpelling, only fields: Set<Int>? = nil,
        isOut: Bool = false, status: Int = 200
    ) -> HTTPResponse {
        let object = spelling.object(server.members(row, spelling, only: fields, isOut: isOut))
        return HTTPResponse(
            status: status, fields: [HTTPField("Content-Type", "application/json")],
            body: Array(object.utf8))
    }

    /// A write of a row of the server needs this cycle's list, or its read.
    func checkShown(_ request: HTTPRequest) {
        guard request.target != Self.list else { return }
        let id = request.rowID
        // A row that a create was answered with is the one that it is, and no list need have it yet.
        let isAnswered =
            answeredInstances.values.contains { $0.id == id } || Int(id) ?? 0 > Self.noRealID
        if cycle?.shownAt[id] == nil, setting.unkindness.isEmpty || !isAnswered {
            blame("UNSHOWN: \(request.method.rawValue) \(request.target), which nothing has shown")
        }
    }

    /// An answer has shown the row, or some of its fields, as it was at `snapshot`; now, where that is nil.
    func noteShown(
        _ row: EditServerRow, as local: Int64, only fields: Set<Int>? = nil,
        at snapshot: EditSnapshot? = nil, endsEdits: Bool = true
    ) {
        let fields = fields ?? Set(row.values.indices)
        let isOld = snapshot.map { $0.time < now } ?? false
        let moment = isOld ? snapshot?.moment ?? .max : .max
        ledger.noteShown(
            row.values, of: local, only: fields, until: moment, endsEdits: endsEdits)
        if !isOld, fields.count == row.values.count { cycle?.shown.append((local, row.values)) }
    }
}

/// A list that a cache before the server keeps.
struct EditCachedList {
    let snapshot: EditSnapshot
    let tellsAge: Bool
    /// In milliseconds.
    let life: Int64
}
