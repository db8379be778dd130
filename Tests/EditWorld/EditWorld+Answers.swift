import APIClient

/// What the server answers, and what syncd can know by it.
extension EditWorld {
    /// The target of the list.
    static let list = "/notes"

    func list(_ request: HTTPRequest) -> HTTPResponse {
        let moment = server.tick()
        let shown = listedRows()
        let rows = shown.map(server.json).joined(separator: ",")
        note("server: lists \(shown.map { server.text($0) }.joined(separator: ","))")
        let tag = "\"\(lives) \(rows.map { $0 == "\"" ? "'" : $0 }.map { String($0) }.joined())\""
        let image = image()
        cycle?.list = Dictionary(shown.map { ("\($0.id)", $0.instance) }) { $1 }
        for row in shown { cycle?.shownAt["\(row.id)"] = moment }
        let all = Set(server.rows.map(\.instance))
        unlisted.formUnion(all.subtracting(shown.map(\.instance)))
        for row in image.rows.values {
            guard let id = row.serverID, let shown = shown.first(where: { "\($0.id)" == id })
            else { continue }
            noteShown(shown, as: row.id)
        }
        let fields = setting.hasEntityTags ? [HTTPField("ETag", tag)] : []
        if setting.hasEntityTags, request.value(of: "If-None-Match") == tag {
            return HTTPResponse(status: 304, fields: fields)
        }
        return HTTPResponse(
            status: 200, fields: fields + [HTTPField("Content-Type", "application/json")],
            body: Array("{\"life\":\"\(plan.seed) \(lives) \(scripts)\",\"rows\":[\(rows)]}".utf8))
    }

    /// The rows of the server, but for those that a filter leaves out, and for one where the list is wrong.
    private func listedRows() -> [EditServerRow] {
        let rows = server.rows.filter(setting.lists)
        let lacking = cycle?.step.disturbances.first { $0.kind == .lacksRow }
        guard let lacking, !rows.isEmpty else { return rows }
        let place = Int(lacking.seed % UInt64(rows.count))
        return rows.enumerated().filter { $0.offset != place }.map(\.element)
    }

    /// One row, which a filter does not hide.
    func read(_ request: HTTPRequest) -> HTTPResponse {
        let moment = server.tick()
        let id = request.target.split(separator: "/").last.map { String($0) } ?? ""
        guard let row = server.rows.first(where: { "\($0.id)" == id }) else {
            return HTTPResponse(status: 404)
        }
        note("server: shows \(server.text(row))")
        cycle?.shownAt[id] = moment
        for local in image().rows.values where local.serverID == id { noteShown(row, as: local.id) }
        return HTTPResponse(
            status: 200, fields: [HTTPField("Content-Type", "application/json")],
            body: Array(server.json(row).utf8))
    }

    /// A write of a row of the server needs this cycle's list, or its read.
    func checkShown(_ request: HTTPRequest) {
        guard request.target != Self.list,
            let id = request.target.split(separator: "/").last.map({ String($0) })
        else { return }
        if cycle?.shownAt[id] == nil {
            blame("UNSHOWN: \(request.method.rawValue) \(request.target), which nothing has shown")
        }
    }

    /// syncd gets this answer, unless it dies before.
    func noteAnswer(_ row: EditServerRow, to shipment: EditShipment) {
        if shipment.operation.kind == "create" {
            answeredInstances[shipment.operation.row] = ("\(row.id)", row.instance)
        }
        noteShown(row, as: shipment.operation.row)
    }

    private func noteShown(_ row: EditServerRow, as local: Int64) {
        ledger.noteShown(row.values, of: local)
        cycle?.shown.append((local, row.values))
    }
}
