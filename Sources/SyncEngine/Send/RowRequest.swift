package import APIClient
package import Declarations
package import Store
internal import Text

/// What a write names of a row.
package struct RowValues: Sendable, Hashable {
    /// The id at the server; nil for a row that has none yet.
    package var serverID: String?
    /// The row's version, where the call's `version` names one.
    package var version: String?
    /// The values of columns that were given, by column name, each as JSON text (`"milk"`, `5`, `true`,
    /// `{"a":1}`).
    package var values: [String: String]
    /// What the server has in the columns by which a path or a header field names the row, in the same form. Empty for
    /// a create.
    package var known: [String: String]
    /// The values that an update changes, in the same form.
    package var changed: [String: String]
    /// The row's document, as the server has shown it.
    package var document: String?

    /// The values of a row.
    package init(
        serverID: String?, version: String?, values: [String: String],
        known: [String: String] = [:], changed: [String: String] = [:], document: String? = nil
    ) {
        self.serverID = serverID
        self.version = version
        self.values = values
        self.known = known
        self.changed = changed
        self.document = document
    }
}

/// The request of a write, from what a declaration says of the call and what the row holds.
///
/// Law: whatever the values, the path has the segments of its template, a header field is one text, and a
/// value in the body is one JSON value at its own place. What cannot be written so is refused.
package enum RowRequest: Sendable {
    /// The request of `call` for `row`, with `key` as its last header field.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where the row lacks what the call names, or a value would
    ///   lead elsewhere; ``APIError/bodyNotEncodable(_:)`` where a value is no JSON. Both name the list and
    ///   the place, and only full stops of the value.
    package static func call(
        _ call: WriteCall, of declaration: Declaration, for row: RowValues, key: HTTPField?
    ) throws(APIError) -> RowCall {
        let texts = RowTexts(declaration: declaration, row: row, action: call.action)
        var fields: [HTTPField] = []
        if call.body != nil { fields.append(HTTPField("Content-Type", call.contentType)) }
        for header in call.headers {
            fields.append(HTTPField(header.name, try texts.field(header)))
        }
        if let key {
            fields.removeAll { $0.isNamed(key.name) }
            fields.append(key)
        }
        var body: [UInt8]?
        if let template = call.body {
            body = try RowBody(declaration: declaration, row: row).bytes(of: template)
        }
        return RowCall(
            method: method(call.method), path: try texts.path(call.path), fields: fields, body: body
        )
    }

    /// The path of a read of `row`, as ``call(_:of:for:key:)`` would write it.
    package static func path(
        _ template: TextTemplate, of declaration: Declaration, for row: RowToRead
    ) throws(APIError) -> String {
        let values = RowValues(serverID: row.serverID, version: nil, values: row.values)
        return try RowTexts(declaration: declaration, row: values).path(template)
    }

    /// The body of a read by `POST`; nil: it is a `GET`.
    static func body(
        of call: ReadCall, of declaration: Declaration, for row: RowToRead
    ) throws(APIError) -> [UInt8]? {
        guard let template = call.body else { return nil }
        return try RowBody(declaration: declaration, read: row).bytes(of: template)
    }

    private static func method(_ method: WriteCall.Method) -> HTTPMethod {
        switch method {
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        }
    }

    /// A value of a row.
    ///
    /// - Throws: ``APIError/bodyNotEncodable(_:)`` where its text is no JSON, or some readers would read it
    ///   differently. It does not hold the text.
    static func node(
        _ text: String, of column: String, in declaration: Declaration
    ) throws(APIError) -> JSONNode {
        let place: TextPosition
        do throws(JSONSyntaxError) {
            let node = try JSONReader.read(Array(text.utf8), maxDepth: BodyCheck.standardDepth)
            guard let offset = node.offsetOfBadNumber else { return node }
            place = TextPosition(offset: offset, in: Array(text.utf8))
        } catch {
            place = error.position
        }
        throw .bodyNotEncodable(
            "\(declaration.name): the value of \(column) is no JSON from line \(place.line),"
                + " character \(place.column)")
    }
}

/// The texts of a request in which values of a row stand.
private struct RowTexts {
    let declaration: Declaration
    let row: RowValues
    /// What the call changes; nil: a call that changes what it sends.
    var action: WriteCall.Action?

    /// `template` with the values as they are.
    func plain(_ template: TextTemplate) throws(APIError) -> String {
        var text = ""
        for part in template.parts { text += try value(part) }
        return text
    }

    /// The value of a header field. With a control character it is none, and never becomes one: such a row is refused
    /// before anything is sent.
    func field(_ header: WriteCall.Header) throws(APIError) -> String {
        let text = try plain(header.value)
        guard HTTPField.mayBeSent(text) else {
            throw .invalidRequest(
                "\(declaration.name): the header \(header.name) would hold a control character")
        }
        return text
    }

    /// `template` with the values percent-encoded.
    ///
    /// Some servers decode a path before they split it. So no value may be, or hold between slashes, a
    /// segment that leads up (RFC 3986 §5.2.4), or leave a segment of its own empty: `DELETE /notes/` is
    /// about another thing than `DELETE /notes/5`.
    func path(_ template: TextTemplate) throws(APIError) -> String {
        var path = ""
        var segment: (bytes: [UInt8], values: [String]) = ([], [])
        var isQuery = false
        for part in template.parts {
            guard case .text(let text) = part else {
                let value = try value(part)
                path += PercentEncoding.encoded(value)
                if !isQuery {
                    segment.bytes += value.utf8
                    segment.values.append(TextTemplate.name(of: part))
                }
                continue
            }
            path += text
            for byte in text.utf8 where !isQuery {
                isQuery = byte == UInt8(ascii: "?")
                if isQuery || byte == UInt8(ascii: "/") {
                    try check(segment.bytes, of: segment.values)
                    segment = ([], [])
                } else {
                    segment.bytes.append(byte)
                }
            }
        }
        try check(segment.bytes, of: segment.values)
        return path
    }

    /// Refuses a segment of a path that would lead elsewhere because of its values.
    private func check(_ segment: [UInt8], of values: [String]) throws(APIError) {
        guard !values.isEmpty else { return }
        let names = values.joined()
        guard !segment.isEmpty else {
            throw .invalidRequest("\(declaration.name): \(names) is empty, and stands in the path")
        }
        let pieces = segment.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        for dots in [".", ".."] where pieces.contains(where: { $0.elementsEqual(dots.utf8) }) {
            throw .invalidRequest(
                "\(declaration.name): \(names) holds \"\(dots)\", and would lead its path elsewhere"
            )
        }
    }

    private func value(_ part: TextTemplate.Part) throws(APIError) -> String {
        switch part {
        case .text(let text): return text
        case .id:
            guard let id = row.serverID else {
                throw .invalidRequest(
                    "\(declaration.name): {id} is due, and the row has no id at the server yet")
            }
            return id
        case .version:
            guard let version = row.version else {
                throw .invalidRequest(
                    "\(declaration.name): {version} is due, and the row has no version")
            }
            return version
        case .column(let name):
            // The server finds a row by what it has, not by what it is to have. What an action changes it is told.
            let new = action?.columns.contains(name) == true ? row.changed[name] : nil
            guard let text = new ?? row.known[name] ?? row.values[name] else { throw missing(name) }
            switch try RowRequest.node(text, of: name, in: declaration).value {
            case .null: throw missing(name)
            case .text(let value), .number(let value): return value
            case .bool(let value): return "\(value)"
            case .list, .object: return text
            }
        }
    }

    private func missing(_ name: String) -> APIError {
        .invalidRequest("\(declaration.name): {\(name)} is due, and the row has no value for it")
    }
}

extension TextTemplate {
    /// `{id}`: how a declaration writes the place of a value.
    fileprivate static func name(of part: Part) -> String {
        switch part {
        case .text(let text): text
        case .id: "{id}"
        case .version: "{version}"
        case .column(let name): "{\(name)}"
        }
    }
}

extension JSONNode {
    /// The place of the first number, here or within, that begins like one and is none.
    fileprivate var offsetOfBadNumber: Int? {
        switch value {
        case .null, .bool, .text: nil
        case .number(let text): JSONNumber.isOne(text) ? nil : offset
        case .list(let items): items.lazy.compactMap(\.offsetOfBadNumber).first
        case .object(let members): members.lazy.compactMap(\.node.offsetOfBadNumber).first
        }
    }
}
