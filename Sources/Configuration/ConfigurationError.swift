public import Declarations
public import Host
public import Text

/// Why there are no settings. One kind for everything that a person mends in the configuration.
public enum ConfigurationError: Error, Sendable, Hashable {
    /// A place in the configuration file.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The file's path.
        public let file: String
        /// Where in it.
        public let position: TextPosition

        /// `FILE:LINE:COLUMN`, as compilers and editors write it.
        public var description: String {
            "\(ForeignText(file)):\(position.line):\(position.column)"
        }
    }

    /// No file was named and none is at the usual places.
    case noFile(searched: [String])
    /// The configuration file cannot be read.
    case file(FileError)
    /// Others can change the configuration file, or a file that it names.
    case untrusted(FileError)
    /// Others can read the configuration file, and this key in it holds a secret.
    case readableSecret(name: String, FileError)
    /// It is no JSON, or a key is doubled.
    case syntax(Place, reason: String)
    /// A key that does not exist; the known one that is most like it.
    case unknownKey(Place, name: String, nearest: String?)
    /// A value that the key does not take; `nil` where it must not be shown.
    case badValue(Place, name: String, value: String?, allowed: String)
    /// A base URL on another machine, without TLS.
    case insecure(Place, name: String, url: String)
    /// A secret in the file itself, for another machine.
    case inlineSecret(Place, name: String, instead: String)
    /// One secret from two places.
    case twoSources(String, String)
    /// A key that must be set because another one is.
    case missing(name: String, because: String)
    /// A variable of the environment that cannot be meant so.
    case environment(name: String, problem: String)
    /// The database's path leads to something that is no database.
    case database(FileError)
    /// A file that holds a secret cannot be read safely.
    case secretFile(name: String, FileError)
    /// Everything that is wrong with a file that declares a list.
    case declaration(path: String, [DeclarationProblem])
    /// A list that refers to another one, which cannot be used for that.
    case reference(path: String, RowReferenceError)
    /// The directory of the lists cannot be read.
    case listDirectory(FileError)
    /// A file in the directory of the lists whose name is no name of a list.
    case listName(path: String, ListNameError)
    /// A list at a server that the configuration does not describe.
    case unknownServer(path: String, name: String, known: [String])
    /// Two servers would have one credential of the service manager.
    case sharedCredential(String, of: String, and: String)
    /// More lists than a cache takes.
    case tooManyLists(directory: String, count: Int, limit: Int)
    /// What should be a secret cannot be one. It is not shown.
    case badSecret(name: String, problem: String)

    /// What to do next, in one imperative sentence.
    public var hint: String {
        switch self {
        case .noFile:
            "Run `syncd setup`, or name a file with --config."
        case .file(let error), .untrusted(let error), .readableSecret(_, let error),
            .database(let error), .secretFile(_, let error), .listDirectory(let error):
            error.hint
        case .syntax: "Correct the file at this place."
        case .unknownKey(_, let name, let nearest?):
            nearest == name
                ? "Write it nested: \(Self.nested(name))."
                : "Write \(nearest) if you mean that, or remove the key."
        case .unknownKey(_, _, nil): "Remove the key."
        case .badValue(_, _, _, let allowed): "Write \(allowed)."
        case .insecure(_, _, let url):
            "Use https, or add \"\(url)\" to http.allowInsecure if the network is trusted."
        case .inlineSecret(_, _, let instead):
            "Put the secret into a file of mode 0600 and name that in \(instead)."
        case .twoSources(let first, let second): "Keep one of \(first) and \(second)."
        case .missing(let name, _): "Set \(name) in the configuration."
        // Each of the others has its own behind it.
        case .reference(_, let error): error.hint
        case .declaration(_, let problems): problems.last?.hint ?? "Correct the file."
        case .listName(_, let error): error.hint
        case .unknownServer(_, let name, let known):
            "Add \(name) to the section servers"
                + (NearestName.of(name, among: known).map { ", or write \($0)" } ?? "") + "."
        case .sharedCredential(_, let server, _):
            "Name a file with the secret of \(server), or give that server another name."
        case .tooManyLists:
            "Remove some, or use a second configuration with a cache and a directory of lists of its own."
        case .environment(let name, _): "Unset \(name), or give it an absolute path."
        case .badSecret(let name, _):
            "Write the secret, and nothing else, on one line where \(name) says."
        }
    }

    private static func nested(_ name: String) -> String {
        let parts = name.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? "{\"\(parts[0])\": {\"\(parts[1])\": …}}" : name
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// What is wrong and where, on one line, without any secret.
    public var description: String { place.map { "\($0): \(sentence)" } ?? sentence }

    /// Where in the configuration file; nil where it is not about a place in it.
    private var place: Place? {
        switch self {
        case .syntax(let place, _), .unknownKey(let place, _, _), .badValue(let place, _, _, _),
            .insecure(let place, _, _), .inlineSecret(let place, _, _):
            place
        case .noFile, .file, .untrusted, .readableSecret, .twoSources, .missing, .environment,
            .database, .secretFile, .badSecret, .declaration, .listDirectory,
            .listName, .unknownServer, .sharedCredential, .tooManyLists, .reference:
            nil
        }
    }

    /// What is wrong without the place in the file, for a configuration that is not written yet.
    public var sentence: String {
        switch self {
        case .noFile(let searched):
            "there is no configuration (looked for \(searched.map(show).joined(separator: ", ")))"
        case .file(let error): "the configuration cannot be read: \(error)"
        case .untrusted(let error): "the configuration is not obeyed: \(error)"
        case .readableSecret(let name, let error): "\(name) is not safe where it is: \(error)"
        case .syntax(_, let reason): show(reason)
        case .unknownKey(_, let name, let nearest):
            "the key \"\(show(name))\" is not known"
                + (nearest.map { $0 == name ? "" : "; the nearest is \"\($0)\"" } ?? "")
        case .badValue(_, let name, let value, let allowed):
            "\(name) must be \(allowed)" + (value.map { ", not \(show($0))" } ?? "")
        case .insecure(_, let name, let url):
            "\(name) is \(url), which is on another machine and has no TLS"
        case .inlineSecret(_, let name, _):
            "\(name) holds a secret for a server on another machine"
        case .twoSources(let first, let second):
            "one secret has two sources: \(show(first)) and \(show(second))"
        case .missing(let name, let because): "\(name) is not set, \(because)"
        case .declaration(let path, let problems):
            problems.dropLast().map { "\(ForeignText(path)):\($0). \($0.hint) " }.joined()
                + (problems.last.map { "\(ForeignText(path)):\($0)" } ?? "")
        case .reference(let path, let error): "\(ForeignText(path)): \(error)"
        case .listDirectory(let error): "the lists cannot be read: \(error)"
        case .listName(let path, let error): "\(ForeignText(path)): \(error)"
        case .unknownServer(let path, let name, _):
            "\(ForeignText(path)): there is no server \(show(name)) in the section servers"
        case .sharedCredential(let credential, let server, let other):
            "the credential \(show(credential)) would be that of \(ForeignText(server)) and of \(ForeignText(other))"
        case .tooManyLists(let directory, let count, let limit):
            "\(ForeignText(directory)) has \(count) lists, and at most \(limit) are possible"
        case .environment(let name, let problem): "the variable \(name) \(show(problem))"
        case .database(let error): "the database cannot be used: \(error)"
        case .secretFile(let name, let error): "\(name) cannot be used: \(error)"
        case .badSecret(let name, let problem): "\(name) cannot be used: \(problem)"
        }
    }
}

/// Text from a file or the environment on one line, cut where it is long.
private func show(_ text: String) -> String {
    ForeignText(text.start(300)).escaped
}
