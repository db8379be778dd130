import Foundation
import Glibc
import Testing

extension Stage {
    /// Runs `syncd setup` without a terminal to ask at, wherever the tests run.
    func setup(
        _ options: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Finished {
        try await run(
            Program(path: "/usr/bin/setsid"), ["--wait", Program.syncd.path, "setup"] + options,
            input: input, environment: environment)
    }

    /// Runs `syncd setup` at a terminal with a person who waits for each text, then types the answer.
    ///
    /// A text is waited for wherever it stands: one that comes again is given with what stands before it.
    /// Where there is no answer, nothing is typed. The terminal is so wide that a sentence is one line.
    func setup(
        _ options: [String], at conversation: [(text: String, answer: String?)],
        columns: UInt16 = 1000
    ) async throws -> (transcript: String, ending: Ending) {
        let terminal = try PseudoTerminal(columns: columns)
        let child = try startSession(["setup"] + options, at: terminal)
        for (text, answer) in conversation {
            let isShown = await terminal.shows(text)
            if !isShown { child.kill(SIGKILL) }
            let transcript = isShown ? "" : await terminal.transcript()
            try #require(isShown, "\(text) in \(transcript)")
            if let answer { try terminal.type(answer + "\n") }
        }
        // The last question, which most tests are not about. One that has ended asks none.
        if !conversation.contains(where: { $0.text.contains(Stage.listQuestion) }),
            await terminal.shows(Stage.listQuestion)
        {
            try terminal.type("\n")
        }
        return (await terminal.transcript(), await child.ending())
    }

    static let listQuestion = "the URL of another list, or none [none]: "

    /// Password and token of the demo's account, for `--password-file` and `--movies-token-file`.
    func writeSecrets(mode: UInt32 = 0o600) throws {
        try write(account.token + "\n", to: "movies-token", mode: mode)
        try write(account.password + "\n", to: "password", mode: mode)
    }

    /// The options that answer everything for the demo's account at `server`.
    static func setupOptions(_ server: String) -> [String] {
        [
            "--movies-url", server + "/3", "--todos-url", server, "--email", DemoAccount.email,
            "--movies-token-file", "movies-token", "--password-file", "password",
        ]
    }

    func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        return status.st_mode & 0o777
    }

    /// The configuration as a value.
    func configured() throws -> NSDictionary {
        let document = try JSONSerialization.jsonObject(with: bytes(of: configuration))
        return try #require(document as? NSDictionary)
    }
}
