internal import CommandLine
internal import Configuration
internal import Declarations
internal import Proposals
internal import Text

extension NewListFile {
    /// Prints what is proposed with its reasons, or writes it, and says what comes next.
    func offer(_ proposal: ListProposal, _ arguments: Arguments) throws(CommandError) -> ExitCode {
        let console = composition.console
        let bytes = try told(proposal, withReasons: !arguments.wantsJSON)
        guard arguments.flags.contains("write") else {
            try console.write(bytes)
            return .ok
        }
        if arguments.wantsJSON { try console.write(bytes) }
        if let configuration = try writeConfiguration() { console.note("wrote \(configuration)") }
        let path = try write(bytes)
        let option =
            arguments.configuration.map { _ in
                " --config \(ForeignText.shellWord(settings.file))"
            } ?? ""
        console.note("wrote \(path)")
        console.note("next: `syncd sync \(name)\(option)` fills the table")
        return .ok
    }

    /// The file's content, after its reasons were told.
    func told(
        _ proposal: ListProposal, withReasons: Bool = true
    ) throws(CommandError) -> [UInt8] {
        let bytes = proposal.declaration.lines
        _ = try checked(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        guard composition.secrets.masked(text) == text else {
            throw .data(
                "the server repeats the token in the names of its fields",
                hint: "Give it a token that is one, and ask again.")
        }
        let console = composition.console
        if withReasons {
            for reason in proposal.evidence { console.note("\(reason.key): \(reason.sentence)") }
        }
        for warning in proposal.warnings { console.warn("look at this: \(warning)") }
        return bytes
    }
}
