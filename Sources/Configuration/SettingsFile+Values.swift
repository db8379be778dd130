internal import APIClient
internal import Host
internal import Text

extension SettingsFile {
    func bool(_ name: String) throws(ConfigurationError) -> Bool {
        guard case .bool(let value) = try value(name) else { throw refusal(name) }
        return value
    }

    func integer(
        _ name: String, in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard case .integer(let value) = try value(name), range.contains(value) else {
            throw refusal(name)
        }
        return value
    }

    func text(_ name: String) throws(ConfigurationError) -> String {
        guard case .text(let value) = try value(name) else { throw refusal(name) }
        return value
    }

    func optionalText(_ name: String) throws(ConfigurationError) -> String? {
        try value(name) == .null ? nil : try text(name)
    }

    func choice<Choice: RawRepresentable<String>>(
        _ name: String, of type: Choice.Type
    ) throws(ConfigurationError) -> Choice {
        guard let choice = Choice(rawValue: try text(name)) else { throw refusal(name) }
        return choice
    }

    func duration(
        _ name: String, in range: ClosedRange<Duration>
    ) throws(ConfigurationError) -> Duration {
        let text = try text(name)
        // What is wrong with it is not said apart: the refusal tells what is allowed.
        guard let value = try? HumanTime.duration(text), range.contains(value) else {
            throw refusal(name)
        }
        return value
    }

    /// An absolute path, or one in the home directory. A relative one is refused and not resolved: against
    /// the file's directory or the working directory would be a guess, and a daemon and a script would
    /// guess differently.
    func optionalPath(_ name: String) throws(ConfigurationError) -> String? {
        guard let path = try optionalText(name) else { return nil }
        guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count <= 4095 else {
            throw refusal(name)
        }
        return path
    }

    /// A base URL. A bad one is not shown, because it may hold a password.
    func baseURL(_ name: String) throws(ConfigurationError) -> BaseURL {
        try baseURL(try text(name), for: name)
    }

    func baseURL(
        _ text: String, for name: String
    ) throws(ConfigurationError) -> BaseURL {
        do throws(BaseURLError) {
            return try BaseURL(text)
        } catch {
            throw .badValue(
                place(of: name), name: name, value: nil,
                allowed: "\(KnownKey.named(name)?.allowed ?? "an address"); \(error)")
        }
    }

    func optionalText(
        _ name: String, where isAllowed: (String) -> Bool
    ) throws(ConfigurationError) -> String? {
        guard let text = try optionalText(name) else { return nil }
        guard isAllowed(text) else { throw refusal(name) }
        return text
    }

    /// A secret in the file itself.
    func inlineSecret(
        _ name: String, form: SecretSource.Form
    ) throws(ConfigurationError) -> SecretSource? {
        guard let text = try optionalText(name) else { return nil }
        let secret = try SecretSource.check(Array(text.utf8), name: name, form: form)
        return SecretSource(name: name, place: .inline(secret), form: form)
    }

    /// A secret in a file that the key `name` names.
    func fileSecret(
        _ name: String, form: SecretSource.Form
    ) throws(ConfigurationError) -> SecretSource? {
        try optionalPath(name).map { path in
            SecretSource(name: name, place: .file(path), form: form)
        }
    }
}
