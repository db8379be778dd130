import Configuration
import Declarations
import Glibc
import Host
import TestSupport
import Testing

/// The directory of the files that declare lists.
@Suite struct ListFileTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private static let notes =
        #"{"server": "office", "list": "/notes", "id": "$.id", "columns": {"a": "text $.a"}}"#
    private static let servers = #""servers": {"office": {"baseURL": "http://127.0.0.1:9"}}"#

    private func folder(_ name: String = "lists", mode: UInt32 = 0o700) throws {
        try #require(mkdir(temporary.path(of: name), mode) == 0)
    }

    private func load(
        _ more: String = "", as name: String = "config.json"
    ) throws -> Settings {
        let path = try temporary.write(name, "{\(Self.servers)\(more)}")
        return try Settings.load(
            named: path,
            facts: ProcessFacts(
                environment: home, user: geteuid(), workingDirectory: temporary.path))
    }

    private func refusal(_ more: String = "") -> ConfigurationError? {
        #expect(throws: ConfigurationError.self) { try load(more) }
    }

    @Test func `without a directory there is no list`() throws {
        #expect(try load().lists.isEmpty)
    }

    @Test func `each file is a list, but those that are hidden, empty or of another kind`() throws {
        try folder()
        try temporary.write("lists/notes.json", Self.notes)
        try temporary.write("lists/being_written.json")
        try temporary.write("lists/.hidden.json", "{")
        try temporary.write("lists/notes.json~", "{")
        #expect(try load().lists.map(\.declaration.name.text) == ["notes"])
    }

    @Test func `two configurations in one directory have lists of their own`() throws {
        try folder("one")
        try folder("two")
        try temporary.write("one/notes.json", Self.notes)
        try temporary.write("two/tasks.json", Self.notes)
        for (name, list) in [("one", "notes"), ("two", "tasks")] {
            let directory = temporary.path(of: name)
            let settings = try load(", \"lists\": \"\(directory)/\"", as: name + ".json")
            #expect(settings.lists.map(\.declaration.name.text) == [list])
            #expect(
                settings.effectiveValues.first { $0.key == "lists" }?.value == .text(directory))
        }
    }

    @Test func `a directory that cannot be read is told, not taken for an empty one`() throws {
        let missing = temporary.path(of: "missing")
        #expect(
            refusal(", \"lists\": \"\(missing)\"") == .listDirectory(.missing(missing)))
        let file = try temporary.write("lists", "")
        let error = refusal()
        #expect(error == .listDirectory(.notADirectory(file)))
        #expect(error?.description == "the lists cannot be read: \(file) is not a directory")
    }

    @Test func `a server that is not described, and a name that no table can have, are told`()
        throws
    {
        try folder()
        let path = try temporary.write(
            "lists/notes.json", Self.notes.replacing("office", with: "ofice"))
        let error = refusal()
        #expect(error == .unknownServer(path: path, name: "ofice", known: ["office"]))
        #expect(error?.hint == "Add ofice to the section servers, or write office.")
        try temporary.write("lists/notes.json", Self.notes)
        try temporary.write("lists/Notes 2.json", Self.notes)
        guard case .listName(let path, _)? = refusal() else {
            Issue.record("taken")
            return
        }
        #expect(path == temporary.path(of: "lists/Notes 2.json"))
    }

    @Test func `S3: a file that is wrong stops its list alone`() throws {
        try folder()
        try temporary.write("lists/notes.json", Self.notes)
        try temporary.write("lists/tasks.json", "{")
        let path = try temporary.write("config.json", "{\(Self.servers)}")
        let settings = try Settings.loadUsable(
            named: path,
            facts: ProcessFacts(
                environment: home, user: geteuid(), workingDirectory: temporary.path))
        #expect(settings.lists.map(\.declaration.name.text) == ["notes"])
        #expect(settings.brokenLists.map(\.name) == ["tasks"])
        #expect(refusal() == settings.brokenLists.first?.error)
    }

    @Test func `a server without a secret takes the credential of its name`() throws {
        try folder()
        try folder("credentials")
        try temporary.write("lists/notes.json", Self.notes)
        let path = try temporary.write(
            "config.json",
            """
            {"servers": {"office": {"baseURL": "http://127.0.0.1:9", "auth": {"kind": "bearer"}}}}
            """)
        let environment = home.merging(
            ["CREDENTIALS_DIRECTORY": temporary.path(of: "credentials")]) { $1 }
        func load() throws(ConfigurationError) -> Settings {
            try Settings.load(
                named: path,
                facts: ProcessFacts(
                    environment: environment, user: geteuid(), workingDirectory: temporary.path))
        }
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(
            error?.description
                == "servers.office.auth.tokenFile is not set, and there is no credential office-token of "
                + "the service manager")
        let credential = try temporary.write("credentials/office-token", "hunter2")
        #expect(
            try load().lists.first?.server.credential.source?.place == .credential(credential))
    }

    /// Loads a configuration with a credential of a service manager.
    private func load(
        servers: String, notes: String, credential: String
    ) throws {
        try folder()
        try folder("credentials")
        try temporary.write("credentials/" + credential, "hunter2")
        try temporary.write("lists/notes.json", notes)
        let path = try temporary.write("config.json", "{\"servers\": {\(servers)}}")
        let environment = home.merging(
            ["CREDENTIALS_DIRECTORY": temporary.path(of: "credentials")]) { $1 }
        _ = try Settings.load(
            named: path,
            facts: ProcessFacts(
                environment: environment, user: geteuid(), workingDirectory: temporary.path))
    }

    private static func server(_ port: Int, _ kind: String) -> String {
        #"{"baseURL": "http://127.0.0.1:\#(port)", "auth": {"kind": \#(kind)}}"#
    }

    @Test func `N16: two servers never have one credential of the service manager`() throws {
        let bearer = Self.server(9, #""bearer""#)
        let error = #expect(throws: ConfigurationError.self) {
            try load(
                servers: #""notes": \#(bearer)"#,
                notes: Self.notes.replacing(#""office""#, with: Self.server(8, #""bearer""#)),
                credential: "notes-token")
        }
        let path = temporary.path(of: "lists/notes.json")
        #expect(
            error == .sharedCredential("notes-token", of: "\(path): server", and: "servers.notes"))
        #expect(
            error?.description
                == "the credential notes-token would be that of \(path): server and of servers.notes"
        )
    }

    @Test(arguments: [
        ("todos", #""basic", "user": "me""#, "todos-password"),
        ("movies", #""bearer""#, "movies-token"),
    ])
    func `N16: no server takes the credential of the todos or the movies`(
        name: String, kind: String, credential: String
    ) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try load(
                servers: #""\#(name)": \#(Self.server(9, kind))"#, notes: "", credential: credential
            )
        }
        #expect(error == .sharedCredential(credential, of: "servers.\(name)", and: name))
    }

    /// A declaration with these calls.
    private func writable(_ calls: String, _ write: String) throws -> String {
        try folder()
        return try temporary.write(
            "lists/notes.json",
            """
            {"server": "office", "list": "/notes", "id": "$.id", \(calls),
             "columns": {"a": {"text": "$.a", "write": "\(write)"}}}
            """)
    }

    @Test(arguments: [
        (#""create": true"#, "create"), (#""create": true, "delete": true"#, "both"),
        (#""delete": true"#, "none"), (#""update": true"#, "update"),
        (#""create": true, "update": {"method": "PUT"}"#, "both"),
    ])
    func `a list that programs write to is taken`(
        calls: String, write: String
    ) throws {
        _ = try writable(calls, write)
        #expect(try load().lists.map(\.declaration.isReadOnly) == [false])
    }

    @Test func `more lists than a cache takes are refused`() throws {
        try folder()
        for number in 0...32 { try temporary.write("lists/list\(number).json", Self.notes) }
        let directory = temporary.path(of: "lists")
        #expect(refusal() == .tooManyLists(directory: directory, count: 33, limit: 32))
    }

    @Test
    func `a file that others can write is not obeyed, one with a secret is for its owner alone`()
        throws
    {
        try folder()
        let path = try temporary.write("lists/notes.json", Self.notes, mode: 0o644)
        #expect(try load().lists.count == 1)
        try #require(chmod(path, 0o666) == 0)
        #expect(refusal() == .untrusted(.writableByOthers(path, isDirectory: false)))
        let secret = Self.notes.replacing(
            "\"office\"",
            with:
                #"{"baseURL": "http://127.0.0.1:9", "auth": {"kind": "bearer", "token": "hunter2"}}"#
        )
        try temporary.write("lists/notes.json", secret, mode: 0o600)
        #expect(try load().lists.count == 1)
        try #require(chmod(path, 0o644) == 0)
        let error = refusal()
        guard case .readableSecret(let name, .readableByOthers(path))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(name == "\(path): server.auth.token")
        #expect(error?.description.contains("hunter2") == false)
    }
}
