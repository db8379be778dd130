import Declarations
import Foundation
import SQLite
import Tables
import Text

/// Declarations of the tests, and a cache of them.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Golden")

    static let movies = Declaration.movies(
        isEnabled: true, language: nil, region: nil, interval: .seconds(60))
    static let todos = Declaration.todos(
        isEnabled: true, honoursIdempotencyKeys: false, interval: .seconds(60))

    /// A declaration of the tests, from its file.
    static func declaration(_ name: String) throws -> Declaration {
        let path = folder.appending(path: "\(name).json")
        return try Declaration.stored(String(contentsOf: path, encoding: .utf8), name: name)
    }

    /// What the generated objects need of the rest of the schema, and the objects, in memory.
    static func cache(of declarations: [Declaration]) throws -> Connection {
        let connection = try Connection(.memory, access: .readWrite, busyTimeout: .zero)
        let common = folder.appending(path: "common.sql")
        try connection.execute(script: String(contentsOf: common, encoding: .utf8))
        let lists = declarations.map(ListTable.init)
        let objects =
            lists.flatMap(\.schema) + SharedObjects.outbox(of: lists) + SharedObjects.textChecks
        for object in objects {
            try connection.execute(script: object.sql)
        }
        return connection
    }
}
