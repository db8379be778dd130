internal import Configuration
internal import Host
internal import Rendering

/// The files that `setup` makes: the configuration, and beside it one private file for each secret.
struct SetupFiles: Sendable {
    /// Of the configuration, absolute.
    let path: String
    let answers: SetupAnswers

    private var directory: String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private var name: String { String(path.split(separator: "/").last ?? "config.json") }

    private var tokenName: String { secretName("movies-token") }
    private var passwordName: String { secretName("todos-password") }

    /// Two configurations in one directory have a secret each; the usual one's has the plain name.
    private func secretName(_ secret: String) -> String {
        name == "config.json" ? secret : name + "." + secret
    }

    private func path(of name: String) -> String {
        directory == "/" ? "/" + name : directory + "/" + name
    }

    /// The configuration as a person would write it: what differs from the defaults.
    var configuration: [UInt8] {
        let sections: [(String, [JSONValue.Member])] = [
            ("movies", movies ?? [.init("enabled", .bool(false))]),
            ("todos", todos ?? [.init("enabled", .bool(false))]),
        ]
        let text = sections.map { "  \"\($0.0)\": {\n\(Self.lines($0.1))\n  }" }
        return Array("{\n\(text.joined(separator: ",\n"))\n}\n".utf8)
    }

    private var movies: [JSONValue.Member]? {
        guard let movies = answers.movies else { return nil }
        return [
            .init("baseURL", .string(movies.baseURL)),
            .init("tokenFile", .string(path(of: tokenName))),
        ]
    }

    private var todos: [JSONValue.Member]? {
        guard let todos = answers.todos else { return nil }
        return [
            .init("baseURL", .string(todos.baseURL)), .init("email", .string(todos.email)),
            .init("passwordFile", .string(path(of: passwordName))),
        ]
    }

    private static func lines(_ members: [JSONValue.Member]) -> String {
        members.map { "    \"\($0.name)\": \(String(decoding: $0.value.bytes, as: UTF8.self))" }
            .joined(separator: ",\n")
    }

    /// What the configuration comes to, before anything is written.
    func settings(_ facts: ProcessFacts) throws(ConfigurationError) -> Settings {
        try Settings(configuration, path: path, environment: facts.environment)
    }

    /// Writes the secrets first, so that the configuration never names a file that is not there.
    ///
    /// - Returns: The paths, in the order they were written.
    func write(user: UInt32) throws(FileError) -> [String] {
        let folder = try StateDirectory(preparing: directory, user: user)
        var written: [String] = []
        func put(_ name: String, _ bytes: [UInt8]) throws(FileError) {
            try folder.replaceFile(name, with: bytes)
            written.append(folder.path(of: name))
        }
        if let token = answers.movies?.token { try put(tokenName, Array("\(token)\n".utf8)) }
        if let password = answers.todos?.password {
            try put(passwordName, Array("\(password)\n".utf8))
        }
        try put(name, configuration)
        return written
    }
}
