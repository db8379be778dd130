import APIClient

/// What the server says to a write, which may be something else than what it did.
extension EditWorld {
    /// The write takes effect, now or later or not, and is answered in the manner of the server.
    func answer(
        _ request: HTTPRequest, _ shipment: EditShipment, _ manner: EditManner
    ) -> HTTPResponse {
        if let delay = manner.delay {
            late.append(
                EditLateRequest(
                    request: request, shipment: shipment, promised: now + delay, manner: manner))
            note("server: it will do it in \(delay) ms")
            return HTTPResponse(status: 202, fields: Self.json, body: Array("{}".utf8))
        }
        let before = target(of: request)
        let (status, row) = apply(request, shipment, manner)
        guard (200..<300).contains(status) else { return refusal(status) }
        switch manner.shape {
        case .usual: return usual(status, row, shipment, manner)
        case .part:
            guard let row else { return claim(shipment, manner) }
            let fields = part(of: shipment, manner)
            return shown(row, only: fields, shipment, manner, status)
        case .oldRow:
            guard let before else { return usual(status, row, shipment, manner) }
            return shown(before, only: nil, shipment, manner, 200)
        case .otherRow:
            let others = server.rows.filter { $0.instance != row?.instance }
            guard !others.isEmpty, shipment.operation.kind != "delete" else {
                return HTTPResponse(status: 204)
            }
            let other = others[Int(manner.seed % UInt64(others.count))]
            if shipment.operation.kind == "create" { noteAnswered(other, shipment) }
            return content(other, manner.spelling, status: status)
        case .id: return named(row?.id ?? Self.madeUp(shipment), row, shipment, manner, status)
        case .nothing:
            return manner.seed % 2 == 0
                ? HTTPResponse(status: 204)
                : HTTPResponse(status: 200, fields: Self.json, body: Array("{}".utf8))
        case .claim: return claim(shipment, manner, row)
        case .refusal:
            let body = #"{"ok": false, "error": "the server is tired"}"#
            return HTTPResponse(status: 200, fields: Self.json, body: Array(body.utf8))
        }
    }

    /// What the server answers if it has no such row.
    func refusal(_ status: Int) -> HTTPResponse {
        guard status == 404, setting.refusesInSuccess else { return HTTPResponse(status: status) }
        note("server: says in a success that there is no such row")
        let body = #"{"data": null, "errors": [{"message": "there is no such row"}]}"#
        return HTTPResponse(status: 200, fields: Self.json, body: Array(body.utf8))
    }

    private static let json = [HTTPField("Content-Type", "application/json")]

    /// Ids of rows are smaller.
    static let noRealID = 9000

    /// The id in a claim about a row that was not made: no row ever has it.
    private static func madeUp(_ shipment: EditShipment) -> Int {
        noRealID + Int(shipment.operation.row)
    }

    private func target(of request: HTTPRequest) -> EditServerRow? {
        Int(request.target.split(separator: "/").last ?? "").flatMap { server.index(of: $0) }
            .map { server.rows[$0] }
    }

    /// As the setting says for all answers. A create that was ignored is answered all the same.
    private func usual(
        _ status: Int, _ row: EditServerRow?, _ shipment: EditShipment, _ manner: EditManner
    ) -> HTTPResponse {
        let isCreate = shipment.operation.kind == "create"
        let isAnswered = isCreate ? setting.answersCreates : setting.answersUpdates
        guard isAnswered, shipment.operation.kind != "delete" else {
            return HTTPResponse(status: row == nil ? status : 204)
        }
        guard let row else { return claim(shipment, manner) }
        return shown(row, only: nil, shipment, manner, status)
    }

    /// The row, or a part of it.
    private func shown(
        _ row: EditServerRow, only fields: Set<Int>?, _ shipment: EditShipment,
        _ manner: EditManner, _ status: Int
    ) -> HTTPResponse {
        if shipment.operation.kind == "create" { noteAnswered(row, shipment) }
        if shipment.operation.kind != "delete" {
            noteForms(row, shipment)
            noteShown(row, as: shipment.operation.row, only: fields)
        }
        return content(row, manner.spelling, only: fields, status: status)
    }

    /// What was sent, whatever was done.
    private func claim(
        _ shipment: EditShipment, _ manner: EditManner, _ row: EditServerRow? = nil
    ) -> HTTPResponse {
        guard shipment.operation.kind != "delete" else { return HTTPResponse(status: 204) }
        if let row, shipment.operation.kind == "create" { noteAnswered(row, shipment) }
        let id = row?.id ?? shipmentID(shipment) ?? Self.madeUp(shipment)
        let fields = setting.declaration.fields.enumerated().compactMap { index, field in
            shipment.operation.sent[index].map {
                (name: field.name, json: manner.spelling.json($0, of: field))
            }
        }
        let object = manner.spelling.object([(name: "id", json: "\(id)")] + fields)
        return HTTPResponse(
            status: shipment.operation.kind == "create" ? 201 : 200, fields: Self.json,
            body: Array(object.utf8))
    }

    private func shipmentID(_ shipment: EditShipment) -> Int? {
        image().rows[shipment.operation.row]?.serverID.flatMap { Int($0) }
    }

    /// The id alone, in the body or in `Location`.
    private func named(
        _ id: Int, _ row: EditServerRow?, _ shipment: EditShipment, _ manner: EditManner,
        _ status: Int
    ) -> HTTPResponse {
        guard shipment.operation.kind == "create" else {
            return HTTPResponse(status: 200, fields: Self.json, body: Array("{\"id\":\(id)}".utf8))
        }
        if let row { noteAnswered(row, shipment) }
        let place = HTTPField("Location", "\(Self.list)/\(id)")
        return manner.seed % 2 == 0
            ? HTTPResponse(status: status, fields: [place])
            : HTTPResponse(status: status, fields: Self.json, body: Array("{\"id\":\(id)}".utf8))
    }

    /// Some of what was sent; of a create the title and some of the rest.
    private func part(of shipment: EditShipment, _ manner: EditManner) -> Set<Int> {
        let sent = shipment.edits.keys.sorted()
        let rest = sent.filter { $0 > 0 && (manner.seed >> UInt64($0)) % 2 == 0 }
        return Set(rest + (shipment.operation.kind == "create" ? [0] : []))
    }

    private func noteAnswered(_ row: EditServerRow, _ shipment: EditShipment) {
        answeredInstances[shipment.operation.row] = ("\(row.id)", row.instance)
    }

    /// Values of others in an answer to our own write of their fields.
    private func noteForms(_ row: EditServerRow, _ shipment: EditShipment) {
        for field in shipment.edits.keys where row.authors[field] == .other {
            guard let written = server.lastWrite(row.instance, field) else { continue }
            server.forms.insert(written)
        }
    }

    /// The request is on its way, and may take effect later, or never.
    func delay(_ request: HTTPRequest, _ shipment: EditShipment, at seed: UInt64) {
        let manner = EditManner(setting, shipment, at: seed)
        late.append(EditLateRequest(request: request, shipment: shipment, manner: manner))
    }
}
