internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Proposals
internal import ReadyLists
internal import Store
internal import Text

extension Command {
    static let declare = Command(
        "declare", "Proposes a declaration of a list that a server has.",
        operands: OperandRule(name: "the URL of a list", usage: "[URL]", count: 0...1),
        options: [
            OptionSpec("name", "NAME", "the name of the table"),
            OptionSpec("like", "READY", "take a ready declaration, and ask no server"),
            OptionSpec("user", "USER", "with --like: who logs in there"),
        ] + NewServer.options + [
            OptionSpec("write", "write it to the directory of the lists, as NAME.json"),
            OptionSpec("json", "print the declaration without the reasons"),
        ],
        notes: [
            "It reads the list once, and then its second page: only pages that bring other rows are",
            "proposed. If the rows have a moment, such as updated_at, it tries how a server is asked for",
            "what has changed since, by 16 requests at most. The declaration goes to standard output, the",
            "reason of each line to standard error. Nothing is overwritten, and nothing is written to the",
            "server or to the cache. If the cache has other lists of that server, fields that hold ids of",
            "their rows are proposed as rows.",
            "What programs may write is switched on by hand: docs/lists.md says how. HOW is bearer,",
            "'header NAME', 'header NAME WORD' (the word stands before the token), 'query NAME', or",
            "'basic USER'. READY is one of the declarations that come with syncd: \(ReadyList.names).",
            "`examples/lists/README.md` says what each of them is for.",
        ], statuses: [.data, .unavailable, .tryLater, .credentials, .configuration],
        examples: [
            "syncd declare https://forge.example.org/api/v1/repos/me/garden/issues",
            "syncd declare https://example.org/notes --token-file ~/token --write",
            "syncd declare --like nextcloud-notes https://cloud.example.org --user me",
        ]
    ) { arguments, composition async throws(CommandError) in
        let isWriting = arguments.flags.contains("write")
        let isLike = arguments.values["like"] != nil
        guard !arguments.operands.isEmpty || isLike && !isWriting else {
            throw arguments.usage("`declare` needs the URL of a list")
        }
        let found = try composition.settingsIfAny(for: arguments)
        let settings = if let found { found } else { try composition.defaults(isPlaced: true) }
        guard !isLike else {
            let (file, proposal) = try composition.readyProposal(arguments, settings)
            return try file.offer(proposal, arguments)
        }
        guard arguments.values["user"] == nil else {
            throw arguments.usage("--user is for --like; --token-as 'basic USER' names one here")
        }
        let server = try NewServer(arguments, composition)
        let address = try composition.address(arguments.operands[0], arguments, settings)
        let file = NewListFile(
            name: try address.listName(arguments), settings: settings, composition: composition)
        // Before the server is asked.
        if isWriting { try file.requireFree() }
        let json = server.json(baseURL: address.baseURL.description)
        let unknown = try file.unknownList(of: json)
        let pace = LookPace(of: file.name, time: composition.time)
        let client = try composition.listClient(
            unknown, settings, mostBytes: ListLook.largestAnswer,
            over: pace.listening(to: composition.transport(settings)))
        let look = ListLook(
            client: client, address: address,
            credential: server.credential(in: settings),
            neighbours: await composition.neighbours(of: unknown, settings), pace: pace)
        var proposal = try await look.proposal(server: json)
        proposal.note("server", settings.remark(on: address, isNamed: server.name != nil))
        return try file.offer(proposal, arguments)
    }
}

extension Composition {
    /// The lists of the same server and account, as the cache has them; none where there is no cache that can be read.
    func neighbours(
        of list: ListSettings, _ settings: Settings
    ) async -> [NeighbourList] {
        let place = CachePlace(path: settings.database, settings: settings)
        let beside = settings.lists.filter { $0.isBeside(list) }.map(\.declaration.name)
        guard !beside.isEmpty, let store = try? openForReading(place) else { return [] }
        var found: [NeighbourList] = []
        for name in beside {
            // A look that fails proposes less.
            guard let ids = try? await store.serverIDs(of: name), !ids.isEmpty else { continue }
            found.append(NeighbourList(name, ids: ids))
        }
        return found
    }

    /// The address of the list, below the server that is named.
    fileprivate func address(
        _ url: String, _ arguments: Arguments, _ settings: Settings
    ) throws(CommandError) -> ListAddress {
        var base: BaseURL?
        if let name = arguments.values["server"] {
            guard let server = settings.server(named: name) else {
                throw .data(
                    "there is no server ‘\(Arguments.shown(name))’ in the section servers"
                        + NearestName.remark(on: name, among: settings.serverNames),
                    hint: "Add it to the configuration, or leave out --server.")
            }
            base = server.baseURL
        }
        do throws(ListAddress.Problem) {
            return try ListAddress(url, below: base)
        } catch {
            throw .data(error.sentence, hint: error.hint)
        }
    }
}

extension NewServer {
    /// What the server is told of who asks.
    fileprivate func credential(in settings: Settings) -> ListLook.Credential {
        if let server = name.flatMap({ settings.server(named: $0) }) { return .server(server) }
        return hasToken ? .tokenFile : .none
    }
}

extension Settings {
    /// Where the server's address comes from, and which server of the configuration has it, too.
    fileprivate func remark(on address: ListAddress, isNamed: Bool) -> String {
        guard !isNamed else { return "\(address.baseURL), as the configuration has it" }
        let whole = "\(address.baseURL), the address without its path"
        let known = serverNames.first {
            server(named: $0)?.baseURL.origin == address.baseURL.origin
        }
        guard let known else { return whole }
        return whole + ". The configuration knows it: --server \(known) takes its token, too"
    }
}

extension ListAddress {
    /// The name that is given, or that of the last part of the path.
    func listName(_ arguments: Arguments) throws(CommandError) -> ListName {
        guard let given = arguments.values["name"] else {
            guard let name else {
                throw .data(
                    "the address does not tell a name for the table that is free",
                    hint: "Add --name NAME.")
            }
            return name
        }
        do throws(ListNameError) {
            return try ListName(given)
        } catch {
            throw .data(error.description, hint: error.hint)
        }
    }
}
