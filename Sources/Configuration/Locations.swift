internal import Host

/// Where files are by convention, from the environment.
///
/// Source: XDG Base Directory Specification (a relative path in a variable is not valid; an empty
/// variable counts as absent), systemd.exec(5) (`STATE_DIRECTORY`, `CREDENTIALS_DIRECTORY`).
struct Locations {
    let environment: [String: String]

    /// The places of the configuration file, in the order in which they are looked at.
    func configurationFiles() throws(ConfigurationError) -> [String] {
        let system = "/etc/syncd/config.json"
        if let personal = try directory("XDG_CONFIG_HOME") {
            return [personal + "/syncd/config.json", system]
        }
        guard let home = try directory("HOME") else { return [system] }
        return [home + "/.config/syncd/config.json", system]
    }

    /// The directory of the state, and the variable that tells it.
    func stateDirectory() throws(ConfigurationError) -> (path: String, variable: String) {
        // systemd gives several directories with colons between them; the first is ours.
        let given = environment["STATE_DIRECTORY", default: ""].split(separator: ":").first
        if let given {
            return (try absolute(String(given), "STATE_DIRECTORY"), "STATE_DIRECTORY")
        }
        if let state = try directory("XDG_STATE_HOME") {
            return (state + "/syncd", "XDG_STATE_HOME")
        }
        guard let home = try directory("HOME") else {
            throw .environment(
                name: "HOME", problem: "is not set, so there is no place for the state")
        }
        return (home + "/.local/state/syncd", "HOME")
    }

    /// A path of the configuration, where `~/` at the start is the home directory. Nothing else is
    /// expanded: `~somebody/` would be a look at the users, and `$NAME` a shell's.
    func expanded(_ path: String, of key: String) throws(ConfigurationError) -> String {
        // By bytes: a combining mark behind the slash makes one character with it.
        guard path.utf8.starts(with: "~/".utf8) else { return path }
        guard let home = try directory("HOME") else {
            throw .environment(name: "HOME", problem: "is not set, and \(key) begins with ~/")
        }
        return home + String(decoding: path.utf8.dropFirst(), as: UTF8.self)
    }

    /// The credential `name` of the service manager, or `nil` when it gave none.
    func credential(
        _ name: String, form: SecretSource.Form
    ) throws(ConfigurationError) -> SecretSource? {
        guard let directory = try directory("CREDENTIALS_DIRECTORY") else { return nil }
        let path = directory + "/" + name
        guard SmallFile(path: path, limit: SecretSource.limit).exists else { return nil }
        return SecretSource(name: path, place: .credential(path), form: form)
    }

    private func directory(_ name: String) throws(ConfigurationError) -> String? {
        guard let path = environment[name], !path.isEmpty else { return nil }
        return try absolute(path, name)
    }

    private func absolute(
        _ path: String, _ name: String
    ) throws(ConfigurationError) -> String {
        guard path.hasPrefix("/") else {
            throw .environment(name: name, problem: "is the relative path '\(path)'")
        }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
