internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Store
internal import Text

extension SetupDialogue {
    /// Looks whose the cache is, and finds another place where it is another account's.
    mutating func askForCache() async throws(CommandError) {
        if let given = arguments.values["database"] {
            try set(database: given)
            guard let problem = await cacheProblem(text) else { return }
            throw problem.refusal(of: ["database"])
        }
        guard let problem = await cacheProblem(text) else { return }
        let free = await freePlace()
        guard TerminalPrompt.isThere else {
            throw problem.refusal(
                of: ["database"],
                hint: "Add --database \(ForeignText.shellWord(free))"
                    + (reset(problem).map { "; or \($0)." } ?? "."))
        }
        tell(problem)
        if let reset = reset(problem) {
            TerminalPrompt.say(
                "That cache stays as it is. To use its place instead, press Ctrl-C: \(reset).")
        }
        while true {
            let typed = try TerminalPrompt.line(
                "where this account's cache goes", usual: free, otherwise: missing("database"))
            var changed = self
            try changed.set(database: typed)
            guard let other = await cacheProblem(changed.text) else {
                text = changed.text
                return
            }
            tell(other)
        }
    }

    private mutating func set(database typed: String) throws(CommandError) {
        // The home directory is the configuration's to expand.
        let isHome = typed.utf8.starts(with: "~/".utf8)
        text.set("database", to: .text(isHome ? typed : try composition.absolute(typed)))
    }

    /// The other way out, if another account's cache is in the way and the command means this very cache.
    /// While a configuration names an account, a new cache would be that one's at once.
    private func reset(_ problem: SetupProblem) -> String? {
        guard problem.isOtherAccount, let settings = try? settings(text),
            let place = try? composition.place(for: arguments), place.path == settings.database,
            place.settings?.account == nil
        else { return nil }
        let option = arguments.configuration.map { " --config \(ForeignText.shellWord($0))" } ?? ""
        return "`syncd cache reset\(option)` sets it aside, then run setup again"
    }

    /// Why the cache of this configuration cannot be used for its account; nil where it can be.
    private func cacheProblem(_ text: ConfigurationText) async -> SetupProblem? {
        do throws(SetupProblem) {
            let settings = try settings(text)
            guard let owner = try await owner(of: settings) else { return nil }
            guard settings.refusal(ofCacheOf: owner) != nil else { return nil }
            return SetupProblem(
                otherAccount: "\(ForeignText(settings.database)) is the cache of \(owner), not of "
                    + "\(settings.todos.email) at \(settings.todos.baseURL)")
        } catch {
            return error
        }
    }

    /// Whose the cache is; nil for nobody's, and where there is none yet.
    private func owner(of settings: Settings) async throws(SetupProblem) -> Account? {
        do throws(CommandError) {
            let store = try composition.openForReading(
                CachePlace(path: settings.database, settings: settings), closes: true,
                keepsRights: true)
            return try await CommandError.awaiting(
                CommandError.store, try await store.account(of: .todos))
        } catch .store(.missing), .store(.olderSchema) {
            // The next start migrates an older one, and looks whose it is.
            return nil
        } catch {
            throw SetupProblem(error)
        }
    }

    /// A path beside the usual cache that is named after the account, and not another account's.
    private func freePlace() async -> String {
        guard let settings = try? settings(text) else { return "" }
        let folder = settings.database.unicodeScalars.lastIndex(of: "/").map {
            String(settings.database.unicodeScalars[..<$0])
        }
        let name = Self.fileName(of: settings.todos.email)
        for number in 1...100 {
            let path = "\(folder ?? "")/\(name)\(number == 1 ? "" : "-\(number)").sqlite"
            var changed = text
            changed.set("database", to: .text(path))
            if await cacheProblem(changed) == nil { return path }
        }
        return ""
    }

    /// An e-mail as the name of a file: what no shell and no file system minds, at most 64 bytes.
    static func fileName(of email: String) -> String {
        String(
            String.UnicodeScalarView(
                email.unicodeScalars.prefix(64).map { scalar in
                    switch scalar {
                    case "a"..."z", "A"..."Z", "0"..."9", "@", ".", "_", "-", "+": scalar
                    default: "_"
                    }
                }))
    }
}
