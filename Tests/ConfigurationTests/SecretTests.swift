import APIClient
import Configuration
import Glibc
import Host
import TestSupport
import Testing

@Suite struct SecretTests {
    let temporary: TemporaryDirectory
    let user = geteuid()

    init() throws { temporary = try TemporaryDirectory() }

    private func password(_ file: String) throws -> SecretSource {
        let text = "{\"todos\": {\"passwordFile\": \"\(file)\"}}"
        return try #require(try settings(text).todos.password)
    }

    @Test(arguments: [
        ("pass word", "pass word"), ("x\n", "x"), ("x\r\n", "x"), ("pä:ß", "pä:ß"), (" x ", " x "),
    ])
    func `one newline at the end of a password file is dropped`(text: String, secret: String) throws
    {
        let path = try temporary.write("password", text)
        #expect(try password(path).read(user: user).revealed == secret)
    }

    @Test(arguments: ["", "\n", "a\nb", "a\r\nX: y", "x\n\n", "a\tb", "a\0b", "\u{7f}"])
    func `a password file with nothing or with control characters is refused`(text: String) throws {
        let path = try temporary.write("password", text)
        let source = try password(path)
        let error = #expect(throws: ConfigurationError.self) { try source.read(user: user) }
        guard case .badSecret("todos.passwordFile", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a password that is not UTF-8 or too large is refused and never shown`() throws {
        let path = temporary.path(of: "password")
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(write(file, [0x68, 0xFF] as [UInt8], 2) == 2)
        close(file)
        let source = try password(path)
        let bad = ConfigurationError.badSecret(
            name: "todos.passwordFile", problem: "it is not UTF-8")
        #expect(throws: bad) { try source.read(user: user) }
        try temporary.write("password", String(repeating: "x", count: 8192))
        #expect(try source.read(user: user).revealed.count == 8192)
        try temporary.write("password", String(repeating: "x", count: 8193))
        let large = ConfigurationError.secretFile(
            name: "todos.passwordFile", .tooLarge(path, limit: 8192))
        #expect(throws: large) { try source.read(user: user) }
    }

    @Test(arguments: ["two words", "tökén", "a\u{a0}b"])
    func `a token with a space or a letter outside ASCII is refused`(text: String) throws {
        let path = try temporary.write("token", text)
        let settings = try settings("{\"movies\": {\"tokenFile\": \"\(path)\"}}")
        guard case .bearer(let source)? = settings.movies.credential else {
            Issue.record("no source")
            return
        }
        #expect(throws: ConfigurationError.self) { try source.read(user: user) }
        #expect(refusal("{\"movies\": {\"token\": \"\(text)\"}}") != nil)
    }

    @Test func `a file that others can read is refused with the chmod`() throws {
        let path = try temporary.write("password", "s3cret", mode: 0o640)
        let text = "{\"todos\": {\"passwordFile\": \"\(path)\"}}"
        let settings = try settings(text)
        let error = #expect(throws: ConfigurationError.self) { try settings.checkFiles(user: user) }
        #expect(error == .secretFile(name: "todos.passwordFile", .readableByOthers(path)))
        #expect(error?.hint == "Run: chmod 600 \(path)")
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test func `F5: what a file of the configuration names is judged as it is`() throws {
        let folder = temporary.path(of: "wide")
        try #require(mkdir(folder, 0o700) == 0)
        let path = try temporary.write("wide/password", "s3cret")
        try #require(chmod(folder, 0o777) == 0)
        let source = try password(path)
        let wide = FileError.writableByOthers(folder, isDirectory: true)
        #expect(throws: ConfigurationError.secretFile(name: "todos.passwordFile", wide)) {
            try source.read(user: user)
        }
        let certificates = try temporary.write("ca.pem", "x", mode: 0o646)
        let settings = try settings(
            #"{"movies": {"enabled": false}, "todos": {"enabled": false}, "#
                + #""http": {"caFile": "\#(certificates)"}}"#)
        #expect(
            throws: ConfigurationError.untrusted(
                .writableByOthers(certificates, isDirectory: false))
        ) { try settings.checkFiles(user: user) }
    }

    @Test func `a missing file is no error until the secret is needed`() throws {
        let source = try password("/nowhere/password")
        #expect(
            throws: ConfigurationError.secretFile(
                name: "todos.passwordFile", .missing("/nowhere/password"))
        ) { try source.read(user: user) }
    }

    @Test(.enabled(if: isRoot))
    func `a credential is exempt from owner and mode, and is read by its name`() throws {
        for (name, json) in [
            ("todos-password", #""todos": {"password": null}"#),
            ("movies-token", #""movies": {"token": null}"#),
            ("movies-api-key", #""movies": {"token": null}"#),
        ] {
            let directory = try TemporaryDirectory()
            let path = try directory.write(name, "s3cret\n", mode: 0o444)
            try #require(chown(path, somebodyElse, somebodyElse) == 0)
            var environment = home
            environment["CREDENTIALS_DIRECTORY"] = directory.path
            let settings = try settings("{\(json)}", environment: environment)
            let source: SecretSource?
            switch settings.movies.credential {
            case .apiKey(let key)?:
                #expect(name == "movies-api-key")
                source = key
            case .bearer(let token)?:
                source = name == "todos-password" ? settings.todos.password : token
            case nil: source = settings.todos.password
            }
            #expect(source?.place == .credential(path))
            #expect(try source?.read(user: user).revealed == "s3cret")
            let row = settings.effectiveValues.first { $0.source == .credential(path) }
            #expect(row?.value == .text(Secret.mask))
        }
    }

    @Test func `a credential takes the place of the demo's secret`() throws {
        let path = try temporary.write("movies-token", "s3cret")
        let environment = home.merging(["CREDENTIALS_DIRECTORY": temporary.path]) { $1 }
        guard
            case .bearer(let source)? = try settings("{}", environment: environment).movies
                .credential
        else {
            Issue.record("no source")
            return
        }
        #expect(source.place == .credential(path))
    }

    @Test func `two sources of one secret are refused and both named`() throws {
        let both = #""tokenFile": "/t", "apiKeyFile": "/k""#
        #expect(
            refusal("{\"movies\": {\(both)}}")
                == .twoSources("movies.tokenFile", "movies.apiKeyFile"))
        #expect(
            refusal(#"{"movies": {"token": "x", "tokenFile": "/t"}}"#)
                == .twoSources("movies.token", "movies.tokenFile"))
        #expect(
            refusal(#"{"todos": {"password": "x", "passwordFile": "/p"}}"#)
                == .twoSources("todos.password", "todos.passwordFile"))
        let path = try temporary.write("todos-password", "s3cret")
        let environment = home.merging(["CREDENTIALS_DIRECTORY": temporary.path]) { $1 }
        let error = refusal(#"{"todos": {"passwordFile": "/p"}}"#, environment: environment)
        #expect(error == .twoSources("todos.passwordFile", path))
        #expect(error?.hint == "Keep one of todos.passwordFile and \(path).")
    }

    @Test func `an inline secret for another machine is refused and not shown`() {
        let todos = #"{"todos": {"baseURL": "https://x.example", "email": "a@b","#
        let error = refusal(todos + #" "password": "hunter2"}}"#)
        guard case .inlineSecret(_, "todos.password", "todos.passwordFile")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains("hunter2") == false)
        let movies = #"{"movies": {"baseURL": "https://x.example", "token": "hunter2"}}"#
        guard case .inlineSecret(_, "movies.token", "movies.tokenFile")? = refusal(movies) else {
            Issue.record("taken")
            return
        }
    }

    @Test func `an inline secret of a wrong kind is not shown`() {
        for value in ["4711", "[\"hunter2\"]", "{\"hunter2\": 1}", "true"] {
            let error = refusal(file("todos.password", value))
            guard case .badValue(_, "todos.password", nil, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `the demo's secrets are not sent to a server that was named`() throws {
        let movies = try settings(#"{"movies": {"baseURL": "http://127.0.0.1:9/3"}}"#)
        #expect(movies.movies.credential == nil)
        let todos = #"{"todos": {"baseURL": "http://127.0.0.1:9", "email": "a@b"}}"#
        #expect(try settings(todos).todos.password == nil)
    }

    @Test func `a secret shows itself only when asked`() throws {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        let settings = try settings(file("todos.password", "\"hunter2\""))
        dump(settings, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\(settings)"] {
            #expect(!text.contains("hunter2"))
        }
        #expect(secret.revealed == "hunter2")
    }

    @Test(arguments: [
        #"{"movies": {"tokenFile": "hunter2"}}"#, #"{"movies": {"apiKeyFile": "hunter2"}}"#,
        #"{"todos": {"passwordFile": "hunter2"}}"#, #"{"todos": "hunter2"}"#,
        #"{"http": {"proxy": "http://proxy:3128/me:hunter2"}}"#,
        #"{"http": {"allowInsecure": "http://me:hunter2@nas"}}"#,
    ])
    func `a secret in the wrong place is not shown`(text: String) {
        let error = refusal(text)
        #expect(error?.description.isEmpty == false)
        #expect(error?.description.contains("hunter2") == false)
    }
}
