import Configuration
import Glibc
import Host
import TestSupport
import Testing

@Suite struct LocationTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private func facts(_ environment: [String: String]) -> ProcessFacts {
        ProcessFacts(
            environment: environment, user: geteuid(), workingDirectory: temporary.path)
    }

    private func makeConfig(in directory: String) throws -> String {
        for path in [directory, directory + "/syncd"] {
            try #require(mkdir(temporary.path(of: path), 0o700) == 0)
        }
        return try temporary.write(directory + "/syncd/config.json", "{}")
    }

    @Test func `the file that --config names is read, from the working directory too`() throws {
        let path = try temporary.write("mine.json", "{}")
        #expect(try Settings.load(named: path, facts: facts(home)).file == path)
        #expect(try Settings.load(named: "mine.json", facts: facts(home)).file == path)
    }

    @Test func `XDG_CONFIG_HOME comes before the home, and an empty one counts as absent`() throws {
        let xdg = try makeConfig(in: "xdg")
        let personal = try makeConfig(in: ".config")
        let home = ["HOME": temporary.path, "XDG_CONFIG_HOME": temporary.path(of: "xdg")]
        #expect(try Settings.load(named: nil, facts: facts(home)).file == xdg)
        let empty = ["HOME": temporary.path, "XDG_CONFIG_HOME": ""]
        #expect(try Settings.load(named: nil, facts: facts(empty)).file == personal)
    }

    @Test func `no file at all is an error that says where it was looked for`() throws {
        let environment = ["HOME": temporary.path]
        let first = temporary.path(of: ".config/syncd/config.json")
        let error = #expect(throws: ConfigurationError.self) {
            try Settings.load(named: nil, facts: facts(environment))
        }
        // A machine that has a system-wide file would find that one.
        try #require(access("/etc/syncd/config.json", F_OK) != 0)
        #expect(error == .noFile(searched: [first, "/etc/syncd/config.json"]))
        #expect(error?.hint == "Run `syncd setup`, or name a file with --config.")
    }

    @Test func `a named file that is missing, a directory, a FIFO or too large is refused`() throws
    {
        func error(_ path: String) -> ConfigurationError? {
            #expect(throws: ConfigurationError.self) {
                try Settings.load(named: path, facts: facts(home))
            }
        }
        #expect(error(temporary.path(of: "none")) == .file(.missing(temporary.path(of: "none"))))
        let directory = FileError.notARegularFile(temporary.path, kind: "a directory")
        #expect(error(temporary.path) == .file(directory))
        let fifo = temporary.path(of: "fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        #expect(error(fifo) == .file(.notARegularFile(fifo, kind: "a FIFO")))
        let large = try temporary.write("large", String(repeating: " ", count: 1 << 20) + "{}")
        #expect(error(large) == .file(.tooLarge(large, limit: 1 << 20)))
        #expect(error("") == .file(.unusablePath("")))
        let fits = String(repeating: " ", count: (1 << 20) - 2) + "{}"
        #expect(throws: Never.self) {
            try Settings.load(named: try temporary.write("fits", fits), facts: facts(home))
        }
    }

    @Test(arguments: [(0o660, 0o700), (0o602, 0o700), (0o600, 0o770), (0o600, 0o707)])
    func `F5: a file that others can change, or whose directory, is not obeyed`(
        file: Int, directory: Int
    ) throws {
        let path = try makeConfig(in: "etc")
        let folder = temporary.path(of: "etc/syncd")
        try #require(chmod(path, mode_t(file)) == 0 && chmod(folder, mode_t(directory)) == 0)
        let error = #expect(throws: ConfigurationError.self) {
            try Settings.load(named: path, facts: facts(home))
        }
        let wide = file == 0o600 ? folder : path
        #expect(error == .untrusted(.writableByOthers(wide, isDirectory: file == 0o600)))
        #expect(error?.hint == "Run: chmod go-w \(wide)")
    }

    @Test func `F5: a secret does not stand in a file that others can read`() throws {
        func load(_ text: String, mode: UInt32) throws(ConfigurationError) -> Settings {
            // A file that is not written is a test that fails by what follows.
            let path = (try? temporary.write("c.json", text, mode: mode)) ?? ""
            return try Settings.load(named: path, facts: facts(home))
        }
        let path = temporary.path(of: "c.json")
        for (name, text) in [
            ("todos.password", #"{"todos": {"password": "hunter2"}}"#),
            ("movies.token", #"{"movies": {"enabled": false, "token": "hunter2"}}"#),
        ] {
            #expect(throws: Never.self) { try load(text, mode: 0o600) }
            for mode: UInt32 in [0o640, 0o604] {
                let error = #expect(throws: ConfigurationError.self) { try load(text, mode: mode) }
                #expect(error == .readableSecret(name: name, .readableByOthers(path)))
                #expect(error?.hint == "Run: chmod 600 \(path)")
                #expect(error?.description.contains("hunter2") == false)
            }
        }
        // What everybody knows is no secret: the example works as it stands.
        let example = try exampleText()
        #expect(throws: Never.self) { try load(example, mode: 0o644) }
        #expect(throws: Never.self) { try load(#"{"todos": {"interval": "5m"}}"#, mode: 0o644) }
    }

    @Test(arguments: ["HOME", "XDG_STATE_HOME", "STATE_DIRECTORY", "CREDENTIALS_DIRECTORY"])
    func `a relative directory in the environment is refused`(name: String) {
        var environment = name == "HOME" ? [:] : home
        environment[name] = "here"
        let problem = "is the relative path 'here'"
        let error = refusal("{}", environment: environment)
        #expect(error == .environment(name: name, problem: problem))
    }

    @Test func `a relative XDG_CONFIG_HOME is refused`() {
        let problem = "is the relative path 'here'"
        #expect(
            throws: ConfigurationError.environment(name: "XDG_CONFIG_HOME", problem: problem)
        ) { try Settings.load(named: nil, facts: facts(["XDG_CONFIG_HOME": "here"])) }
    }

    @Test func `the state directory is the service manager's, then XDG's, then the home's`() throws
    {
        var environment = ["HOME": "/h/"]
        #expect(
            try settings("{}", environment: environment).stateDirectory
                == "/h/.local/state/syncd")
        environment["XDG_STATE_HOME"] = "/x"
        #expect(try settings("{}", environment: environment).stateDirectory == "/x/syncd")
        environment["STATE_DIRECTORY"] = "/var/lib/syncd:/var/lib/other"
        let given = try settings("{}", environment: environment)
        #expect(given.stateDirectory == "/var/lib/syncd")
        #expect(
            given.effectiveValues.first
                == .init(
                    key: "database", value: .text("/var/lib/syncd/cache.sqlite"),
                    source: .environment("STATE_DIRECTORY")))
    }

    @Test func `without a home there is no place for the state`() {
        guard case .environment("HOME", _)? = refusal("{}", environment: [:]) else {
            Issue.record("taken")
            return
        }
    }

    @Test func `a path that begins with the tilde alone is in the home directory`() throws {
        let given = try settings(file("database", "\"~/a/b.sqlite\""))
        #expect(given.database == "/home/somebody/a/b.sqlite")
        #expect(given.effectiveValues.first?.value == .text("/home/somebody/a/b.sqlite"))
        let secret = try settings(file("todos.passwordFile", "\"~/pw\""))
        #expect(secret.todos.password?.place == .file("/home/somebody/pw"))
        for other in ["~", "~ada/b.sqlite", "a/~/b", "$HOME/b"] {
            let error = refusal(file("database", "\"\(other)\""))
            guard case .badValue(_, "database", _, _)? = error else {
                Issue.record("\(other): \(String(describing: error))")
                continue
            }
        }
        let problem = "is not set, and http.caFile begins with ~/"
        let environment = ["XDG_STATE_HOME": "/x"]
        #expect(
            refusal(file("http.caFile", "\"~/ca\""), environment: environment)
                == .environment(name: "HOME", problem: problem))
    }

    @Test func `a database path that leads to a directory, a FIFO or a link is refused`() throws {
        let fifo = temporary.path(of: "fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let link = temporary.path(of: "link")
        try #require(symlink("nowhere", link) == 0)
        for (path, error) in [
            (temporary.path, FileError.notARegularFile(temporary.path, kind: "a directory")),
            (fifo, .notARegularFile(fifo, kind: "a FIFO")), (link, .symbolicLink(link)),
            (temporary.path(of: ".."), .unusablePath(temporary.path(of: ".."))),
        ] {
            #expect(refusal(file("database", "\"\(path)\"")) == .database(error))
        }
    }

    @Test func `every effective value names its source`() throws {
        let text = "{\n\"todos\": {\"interval\": \"5m\",\n\"password\": \"x\"}}"
        let values = try settings(text).effectiveValues
        func value(_ key: String) -> EffectiveValue? { values.first { $0.key == key } }
        #expect(value("todos.interval")?.value == .text("5m"))
        #expect(value("todos.interval")?.source.description == "/c.json:2")
        #expect(value("todos.password")?.value == .text(Secret.mask))
        #expect(value("todos.password")?.source.description == "/c.json:3")
        #expect(value("movies.token")?.value == .text(Secret.mask))
        #expect(value("movies.token")?.source.description == "default")
        #expect(value("database")?.source.description == "$HOME")
        let none = try settings(#"{"movies": {"tokenFile": "/t"}}"#).effectiveValues
        #expect(none.first { $0.key == "movies.token" }?.value == .null)
        #expect(none.first { $0.key == "movies.tokenFile" }?.value == .text("/t"))
    }
}
