internal import APIClient
public import Declarations
package import Host

/// A declared list and the server that it is pulled from.
public struct ListSettings: Sendable, Hashable {
    /// The list.
    public let declaration: Declaration
    /// Its server.
    public let server: ServerSettings
}

extension Settings {
    /// Which addresses a server may have: http only on this machine, or where the configuration allows it.
    static func rules(insecure: [BaseURL]) -> ServerDescription.Rules {
        ServerDescription.Rules(
            problem: { address in
                let url: BaseURL
                do throws(BaseURLError) {
                    url = try BaseURL(address)
                } catch {
                    return ("must be an http or https address; \(error)", "Write an address.")
                }
                let isSafe =
                    url.origin.scheme == "https" || url.origin.isLoopback || insecure.contains(url)
                return isSafe
                    ? nil
                    : (
                        "is \(url), which is on another machine and has no TLS",
                        "Use https, or add \"\(url)\" to http.allowInsecure if the network is trusted."
                    )
            }, isOwnMachine: { (try? BaseURL($0))?.origin.isLoopback ?? false })
    }

    /// Every list that has a table, kept or not.
    public var declarations: [Declaration] {
        everyList.map(\.declaration)
    }

    /// Every list that the configuration keeps.
    public var keptLists: [ListSettings] { everyList.filter(\.declaration.isEnabled) }

    /// The files that declare lists, the wrong ones too.
    public var listFiles: [String] {
        (lists.map(\.declaration.name.text) + brokenLists.map(\.name))
            .map { "\(listDirectory.path)/\($0).json" }
    }

    /// Every list that has a table, and its server.
    public var everyList: [ListSettings] { [movies.list] + lists + [todos.list] }

    /// The declared lists of the files `NAME.json` in a directory, in the order of their names.
    ///
    /// - Parameters:
    ///   - directory: Their directory. That of the configuration's own place may be missing.
    ///   - servers: The servers of its section, with their names.
    ///   - rules: Which addresses can be used.
    ///   - locations: Where paths and credentials are.
    ///   - user: The effective user id.
    /// - Returns: The lists of all files but empty ones, and the files that are wrong.
    /// - Throws: ``ConfigurationError`` if the directory cannot be read, or has too many files.
    static func lists(
        in directory: ListDirectory, servers: [String: ServerSettings],
        rules: ServerDescription.Rules,
        locations: Locations, user: UInt32
    ) throws(ConfigurationError) -> ([ListSettings], [BrokenList]) {
        let files = try directory.files()
        guard files.count <= Limits.lists else {
            throw .tooManyLists(
                directory: directory.path, count: files.count, limit: Limits.lists)
        }
        var lists: [ListSettings] = []
        var broken: [BrokenList] = []
        for file in files {
            let name = String(file.dropLast(5))
            do throws(ConfigurationError) {
                let list = try list(
                    "\(directory.path)/\(file)", name: name, servers: servers, rules: rules,
                    locations: locations, user: user)
                if let list { lists.append(list) }
            } catch {
                broken.append(BrokenList(name: name, error: error))
            }
        }
        return (lists, broken)
    }

    /// Nil for an empty file: a shell makes it before the program runs that is to fill it.
    private static func list(
        _ path: String, name: String, servers: [String: ServerSettings],
        rules: ServerDescription.Rules, locations: Locations, user: UInt32
    ) throws(ConfigurationError) -> ListSettings? {
        let listName: ListName
        do throws(ListNameError) {
            listName = try ListName(name)
        } catch {
            throw .listName(path: path, error)
        }
        let content: (bytes: [UInt8], exposure: FileError?)
        do throws(FileError) {
            content = try SmallFile(path: path, limit: Limits.fileBytes).readTrusted(user: user)
        } catch {
            throw .unreadable(error)
        }
        guard !content.bytes.isEmpty else { return nil }
        let list = try list(
            content.bytes, path: path, name: listName, servers: servers, rules: rules,
            locations: locations)
        if list.declaration.server == nil, let exposure = content.exposure,
            let source = list.server.credential.source, source.needsPrivateFile
        {
            throw .readableSecret(name: source.name, exposure)
        }
        return list
    }

    /// The list that the content of a file declares, whether the file is there yet or not.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name that the file has without its ending.
    ///   - facts: The environment.
    /// - Returns: The list and its server.
    /// - Throws: ``ConfigurationError`` for what `load` would not take.
    package func list(
        _ bytes: [UInt8], named name: ListName, facts: ProcessFacts
    ) throws(ConfigurationError) -> ListSettings {
        try Self.list(
            bytes, path: "\(listDirectory.path)/\(name).json", name: name, servers: servers,
            rules: Self.rules(insecure: http.allowInsecure),
            locations: Locations(environment: facts.environment))
    }

    /// Where a file is or would be that declares a list of this name, and how many such files there are.
    package func place(
        ofList name: ListName
    ) throws(ConfigurationError) -> (directory: String, file: String, count: Int) {
        (listDirectory.path, "\(name).json", try listDirectory.files().count)
    }

    /// The server of the section `servers` that has this name; nil: there is none.
    package func server(named name: String) -> ServerSettings? { servers[name] }

    /// The names of the section `servers`, sorted.
    package var serverNames: [String] { servers.keys.sorted() }

    private static func list(
        _ bytes: [UInt8], path: String, name: ListName, servers: [String: ServerSettings],
        rules: ServerDescription.Rules, locations: Locations
    ) throws(ConfigurationError) -> ListSettings {
        let file: Declaration.File
        do throws(DeclarationError) {
            file = try Declaration.read(bytes, name: name, rules: rules)
        } catch {
            throw .declaration(path: path, error.problems)
        }
        if let own = file.server {
            let server = try ServerSettings(
                own, name: "\(path): server", stem: name.text, locations: locations)
            if let shared = server.managedCredential, let other = servers[name.text],
                shared == other.managedCredential
            {
                throw .sharedCredential(shared, of: server.name, and: other.name)
            }
            return ListSettings(declaration: file.declaration, server: server)
        }
        let wanted = file.declaration.server ?? ""
        guard let server = servers[wanted] else {
            throw .unknownServer(path: path, name: wanted, known: servers.keys.sorted())
        }
        return ListSettings(declaration: file.declaration, server: server)
    }
}

extension Settings.TodosSettings {
    /// The todos as a list like others.
    public var list: ListSettings {
        let credential: ServerSettings.Credential =
            if let password { .login(.todos(user: email), password) } else { .none }
        return ListSettings(
            declaration: .todos(
                isEnabled: isEnabled, honoursIdempotencyKeys: idempotency == .key,
                interval: interval),
            server: ServerSettings(
                name: "todos", baseURL: baseURL, credential: credential,
                fields: TodosClient.commonFields, concurrency: concurrency, account: email,
                tokenFile: "token.json"))
    }
}

extension Settings.MoviesSettings {
    /// The movies as a list like others.
    public var list: ListSettings {
        let credential: ServerSettings.Credential =
            switch self.credential {
            case nil: .none
            case .bearer(let source): .bearer(source)
            case .apiKey(let source): .query(name: "api_key", source)
            }
        return ListSettings(
            declaration: .movies(
                isEnabled: isEnabled, language: language, region: region, interval: interval),
            server: ServerSettings(
                name: "movies", baseURL: baseURL, credential: credential, fields: [],
                concurrency: 4, account: nil, tokenFile: "token-list-movies.json"))
    }
}
