internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Proposals
internal import Text

/// A list that `setup` declares, beside the configuration that it writes.
struct SetupList: Sendable {
    let name: ListName
    let declaration: [UInt8]
    /// A new secret, and the file that the declaration names for it.
    let token: (path: String, secret: String)?
}

extension SetupDialogue {
    static let listsByHand =
        "`syncd declare URL --write` adds a list later, and knows more ways to send a token"

    /// Asks for lists of any server until there is none. Each is looked at before the next.
    mutating func askForLists() async throws(CommandError) {
        if let given = arguments.values["list-url"] {
            guard given != "none" else { return }
            guard triesServers else {
                throw arguments.usage("--list-url asks the server, and goes with no --no-check")
            }
            do throws(SetupProblem) {
                lists.append(try await list(at: given, token: nil))
            } catch {
                throw error.refusal(
                    of: ["list-url"],
                    hint: error.status == .credentials ? Self.listsByHand + "." : "")
            }
            return
        }
        guard triesServers, TerminalPrompt.isThere else { return }
        while true {
            let typed = try TerminalPrompt.line(
                "the URL of another list, or none", usual: "none", otherwise: .interrupted)
            guard typed != "none" else { return }
            if let list = try await typedList(at: typed) { lists.append(list) }
        }
    }

    /// Nil where a person is to be asked again.
    private func typedList(at url: String) async throws(CommandError) -> SetupList? {
        let first: SetupProblem
        do throws(SetupProblem) {
            return try await list(at: url, token: nil)
        } catch {
            first = error
        }
        guard first.status == .credentials else {
            tell(first)
            return nil
        }
        tell(SetupProblem(first.sentence, hint: "", status: first.status))
        let token = try TerminalPrompt.hidden(
            "its token (not shown; Enter goes on without this list)", otherwise: .interrupted)
        guard !token.isEmpty else { return nil }
        do throws(SetupProblem) {
            return try await list(at: url, token: try checked(Array(token.utf8), .token))
        } catch {
            tell(SetupProblem(error.sentence, hint: Self.listsByHand + ".", status: error.status))
            return nil
        }
    }

    /// The list at an address, as its answer proposes it.
    private func list(at url: String, token: String?) async throws(SetupProblem) -> SetupList {
        let settings = try settings(text)
        let address: ListAddress
        do throws(ListAddress.Problem) {
            address = try ListAddress(url)
        } catch {
            throw SetupProblem(error.sentence, hint: error.hint, status: .data)
        }
        guard let name = address.name, !lists.contains(where: { $0.name == name }) else {
            throw SetupProblem(
                "the address does not tell a name for the table that is free",
                hint: "`syncd declare URL --name NAME --write` names one later.",
                status: .data)
        }
        let place = SetupFiles(path: path, replaced: nil).tokenPath(ofList: name)
        do throws(CommandError) {
            let declaration = try await declaration(
                of: address, named: name, token: token.map { (place, $0) }, settings)
            return SetupList(
                name: name, declaration: declaration, token: token.map { (place, $0) })
        } catch {
            throw SetupProblem(error)
        }
    }

    private func declaration(
        of address: ListAddress, named name: ListName, token: (path: String, secret: String)?,
        _ settings: Settings
    ) async throws(CommandError) -> [UInt8] {
        let file = NewListFile(name: name, settings: settings, composition: composition)
        try file.requireFree()
        if let path = token?.path, SmallFile(path: path, limit: 1).exists {
            throw .data(
                "\(ForeignText(path)) is there already, and nothing is overwritten",
                hint: Self.listsByHand + ".")
        }
        let auth = token.map { token in
            JSONNode.object([("kind", .text("bearer")), ("tokenFile", .text(token.path))])
        }
        let server = JSONNode.object([
            ("baseURL", .text(address.baseURL.description)), ("auth", auth),
        ])
        // The file of the token is not written before all answers are taken.
        let unknown = try file.unknownList(of: server)
        let pace = LookPace(of: name, time: composition.time)
        let client = composition.listClient(
            unknown.server,
            token.map { token in .bearer(HeldSecret { () throws(APIError) in token.secret }) }
                ?? .none,
            settings, mostBytes: ListLook.largestAnswer,
            over: pace.listening(to: composition.transport(settings)))
        let look = ListLook(
            client: client, address: address, credential: token == nil ? .none : .tokenFile,
            neighbours: await composition.neighbours(of: unknown, settings), pace: pace)
        let proposal = try await look.proposal(server: server)
        return try file.told(proposal)
    }
}
