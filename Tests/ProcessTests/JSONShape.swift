import Foundation

/// The shape of a JSON value: names and kinds without the values, for comparing what a document
/// says with what a program prints.
indirect enum JSONShape: Sendable, Hashable {
    case null, bool, number, text
    /// The shapes of all elements as one; nil for an empty list.
    case list(JSONShape?)
    case object([String: JSONShape])

    init(_ value: Any) {
        switch value {
        case is NSNull: self = .null
        case let number as NSNumber where String(cString: number.objCType) == "c": self = .bool
        case is NSNumber: self = .number
        case is String: self = .text
        case let list as [Any]: self = .list(list.first.map(JSONShape.init))
        case let object as [String: Any]: self = .object(object.mapValues(JSONShape.init))
        default: self = .null
        }
    }

    init(text: String) throws {
        self.init(
            try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
    }

    /// Where `other` differs, as a path with both kinds; empty where it does not. A null stands
    /// for a value of any kind, and an empty list or object for one with anything in it.
    func differences(from other: JSONShape, at path: String = "$") -> [String] {
        switch (self, other) {
        case (.null, _), (_, .null), (.bool, .bool), (.number, .number), (.text, .text),
            (.list(nil), .list), (.list, .list(nil)):
            return []
        case (.list(let mine?), .list(let theirs?)):
            return mine.differences(from: theirs, at: path + "[]")
        case (.object(let mine), .object(let theirs)):
            if mine.isEmpty || theirs.isEmpty { return [] }
            return Set(mine.keys).union(theirs.keys).sorted().flatMap { name in
                guard let left = mine[name], let right = theirs[name] else {
                    return ["\(path).\(name) is on one side only"]
                }
                return left.differences(from: right, at: "\(path).\(name)")
            }
        default: return ["\(path): \(self) and \(other)"]
        }
    }
}
