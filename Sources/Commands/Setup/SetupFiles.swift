internal import Configuration
internal import Declarations
internal import Host

/// The files that `setup` makes: the configuration, and beside it one private file for each new secret.
struct SetupFiles: Sendable {
    /// Of the configuration, absolute.
    let path: String
    /// Nil where nothing is replaced.
    let replaced: Replaced?

    /// A configuration that is replaced.
    struct Replaced: Sendable, Hashable {
        let bytes: [UInt8]
        /// Its permission bits.
        let mode: UInt32
    }

    private var directory: String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private var name: String { String(path.split(separator: "/").last ?? "config.json") }

    /// The file of the secret that a key names. Two configurations in one directory have a secret each; the
    /// usual one's has the plain name.
    private func secretName(_ key: String) -> String {
        let secret = key == "movies.tokenFile" ? "movies-token" : "todos-password"
        return name == "config.json" ? secret : name + "." + secret
    }

    /// The file of the token of a list; two configurations in one directory have one each.
    func tokenPath(ofList list: ListName) -> String { path(of: secretName(ofList: list)) }

    private func secretName(ofList list: ListName) -> String {
        name == "config.json" ? "\(list)-token" : "\(name).\(list)-token"
    }

    private func path(of name: String) -> String {
        directory == "/" ? "/" + name : directory + "/" + name
    }

    /// The configuration with the paths of its new secrets.
    func configuration(_ dialogue: SetupDialogue) -> ConfigurationText {
        var text = dialogue.text
        for (key, _) in dialogue.secrets { text.set(key, to: .text(path(of: secretName(key)))) }
        return text
    }

    /// Keeps what is replaced, and writes the secrets, so that the configuration never names a file that is
    /// not there; then the configuration. Each file is there whole or not at all.
    ///
    /// - Returns: The paths, in the order they were written.
    func write(_ dialogue: SetupDialogue, user: UInt32) throws(FileError) -> [String] {
        let folder = try StateDirectory(preparing: directory, user: user)
        var written: [String] = []
        func put(_ name: String, _ bytes: [UInt8], _ mode: UInt32 = 0o600) throws(FileError) {
            try folder.replaceFile(name, with: bytes, mode: mode)
            written.append(folder.path(of: name))
        }
        if let replaced { try put(name + ".bak", replaced.bytes, replaced.mode) }
        for (key, secret) in dialogue.secrets {
            try put(secretName(key), Array("\(secret)\n".utf8))
        }
        for list in dialogue.lists {
            guard let token = list.token else { continue }
            try put(secretName(ofList: list.name), Array("\(token.secret)\n".utf8))
        }
        try put(name, configuration(dialogue).bytes, replaced?.mode ?? 0o600)
        return written
    }
}
