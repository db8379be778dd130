import FoundationEssentials
import Text

/// Typed reading of small JSON, with errors that say where and what but never a value.
enum JSONAnswer {
    /// Decodes checked bytes.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from body: [UInt8]
    ) throws(APIError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw .malformed(describe(error) + alternatives(to: error, in: body))
        } catch {
            throw .malformed("it is not valid JSON")
        }
    }

    /// Encodes with a fixed order of keys, so that a repeat sends the same bytes.
    static func encode(_ value: some Encodable) throws(APIError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw .bodyNotEncodable("it cannot be written as JSON")
        }
    }

    private static func describe(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context):
            "\(place(context.codingPath)): expected \(name(of: type))"
        case .valueNotFound(let type, let context):
            "\(place(context.codingPath)): expected \(name(of: type)), found null"
        case .keyNotFound(let key, let context):
            "\(place(context.codingPath + [key])): missing"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is not valid JSON" : "\(place(context.codingPath)): not a valid value"
        @unknown default:
            "it has an unexpected shape"
        }
    }

    /// Which keys the answer has in the place of one that is missing at its top: `; it has a, b`.
    private static func alternatives(to error: DecodingError, in body: [UInt8]) -> String {
        guard case .keyNotFound(_, let context) = error, context.codingPath.isEmpty,
            case .object(let members) = try? JSONDecoder().decode(
                ReasonShape.self, from: Data(body))
        else { return "" }
        guard !members.isEmpty else { return "; the answer is empty" }
        let names = members.keys.sorted().prefix(8).joined(separator: ", ")
        return "; it has " + ForeignText.escaped(names, maxBytes: 200)
    }

    /// `results[3].id`; the whole answer is `the answer`.
    private static func place(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text.isEmpty ? "the answer" : ForeignText.escaped(text, maxBytes: 200)
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type: "an integer"
        case is Double.Type: "a number"
        case is ServerID.Type: "an integer or a text of 1 to 200 bytes"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}
