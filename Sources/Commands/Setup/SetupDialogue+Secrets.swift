internal import CommandLine
internal import Configuration
internal import Host
internal import Text

extension SetupDialogue {
    /// A secret in the form in which it is sent; no server has seen it yet. `kept` says where the present one
    /// is, if it can stay: it is read and never shown. A new one is typed twice.
    func secret(
        _ option: String, _ subject: String, form: SecretSource.Form, kept: SecretSource?,
        isNew: Bool
    ) throws(CommandError) -> SetupSecret {
        if arguments.values[option] != nil {
            let bytes = try file(option)
            return .new(
                try required(option) { () throws(SetupProblem) in try checked(bytes, form) })
        }
        guard TerminalPrompt.isThere else {
            guard let kept else { throw missing(option) }
            return .kept(try required(option) { () throws(SetupProblem) in try read(kept) })
        }
        let remark = kept == nil ? "not shown" : "not shown; Enter keeps the present one"
        while true {
            let typed = try TerminalPrompt.hidden(
                "\(subject) (\(remark))", otherwise: missing(option))
            do throws(SetupProblem) {
                if typed.isEmpty, let kept { return .kept(try read(kept)) }
                _ = try checked(Array(typed.utf8), form)
            } catch {
                tell(error)
                continue
            }
            guard isNew else { return .new(typed) }
            if try isRepeated(typed, as: subject) { return .new(typed) }
        }
    }

    /// Whether the person types the same again. Enter alone asks once more.
    func isRepeated(_ secret: String, as subject: String) throws(CommandError) -> Bool {
        guard try TerminalPrompt.again(subject, otherwise: .interrupted) == secret else {
            TerminalPrompt.say("the two inputs differ: \(subject) is asked for once more")
            return false
        }
        return true
    }

    private func required<Value>(
        _ option: String, _ body: () throws(SetupProblem) -> Value
    ) throws(CommandError) -> Value {
        do throws(SetupProblem) {
            return try body()
        } catch {
            throw error.refusal(of: [option])
        }
    }

    func checked(
        _ bytes: [UInt8], _ form: SecretSource.Form
    ) throws(SetupProblem) -> String {
        do throws(ConfigurationError) {
            let name = form == .token ? "the token" : "the password"
            let secret = try SecretSource.check(bytes, name: name, form: form).revealed
            composition.secrets.register(secret)
            return secret
        } catch {
            throw SetupProblem(error)
        }
    }

    private func read(_ source: SecretSource) throws(SetupProblem) -> String {
        do throws(ConfigurationError) {
            let secret = try source.read(user: composition.facts.user).revealed
            composition.secrets.register(secret)
            return secret
        } catch {
            throw SetupProblem(error)
        }
    }

    /// What the option names, without a newline at its end.
    private func file(_ option: String) throws(CommandError) -> [UInt8] {
        let name = arguments.values[option] ?? "-"
        var bytes: [UInt8]
        if name == "-" {
            bytes = try InputLines.bytes()
        } else {
            let path = try composition.absolute(name)
            bytes = try CommandError.trying(
                CommandError.file, try SmallFile(path: path, limit: 8192).read())
        }
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        return bytes
    }
}
