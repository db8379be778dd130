internal import APIClient
internal import Host

extension Settings.MoviesSettings {
    init(
        _ file: SettingsFile, _ locations: Locations, insecure: [BaseURL]
    ) throws(ConfigurationError) {
        isEnabled = try file.bool("movies.enabled")
        let url = try file.baseURL("movies.baseURL")
        baseURL = url
        try file.requireSafe(url, name: "movies.baseURL", insecure: insecure)
        language = try file.optionalText("movies.language", where: Self.isLanguage)
        region = try file.optionalText("movies.region") { text in
            text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        }
        interval = try file.duration("movies.interval", in: .seconds(1) ... .seconds(604_800))
        let apiKeyFile = try file.fileSecret("movies.apiKeyFile", form: .token)
        let apiKey = try locations.credential("movies-api-key", form: .token)
        let source = try file.oneSecret(
            inline: "movies.token", url: url, urlName: "movies.baseURL", form: .token,
            others: [
                try file.fileSecret("movies.tokenFile", form: .token), apiKeyFile,
                try locations.credential("movies-token", form: .token), apiKey,
            ])
        credential = source.map { $0 == apiKeyFile || $0 == apiKey ? .apiKey($0) : .bearer($0) }
    }

    /// The shape of a language tag (RFC 5646 §2.1): letters and digits in groups of up to eight.
    private static func isLanguage(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
        return groups.count <= 5 && groups[0].count >= 2
            && groups.allSatisfy { group in
                (1...8).contains(group.count)
                    && group.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                            || (0x61...0x7A).contains(byte)
                    }
            }
    }
}

extension Settings.TodosSettings {
    init(
        _ file: SettingsFile, _ locations: Locations, insecure: [BaseURL]
    ) throws(ConfigurationError) {
        isEnabled = try file.bool("todos.enabled")
        let url = try file.baseURL("todos.baseURL")
        baseURL = url
        try file.requireSafe(url, name: "todos.baseURL", insecure: insecure)
        let address = try file.text("todos.email")
        guard Self.isEmail(address) else { throw file.refusal("todos.email") }
        guard file.isSet("todos.email") || !file.isSet("todos.baseURL") || !isEnabled else {
            throw .missing(name: "todos.email", because: "though todos.baseURL is")
        }
        email = address
        interval = try file.duration("todos.interval", in: .seconds(1) ... .seconds(604_800))
        idempotency = try file.choice("todos.idempotency", of: Idempotency.self)
        concurrency = try file.integer("todos.concurrency", in: 1...16)
        password = try file.oneSecret(
            inline: "todos.password", url: url, urlName: "todos.baseURL", form: .password,
            others: [
                try file.fileSecret("todos.passwordFile", form: .password),
                try locations.credential("todos-password", form: .password),
            ])
    }

    /// Enough to keep out what would break the header of a login (RFC 7617 §2: no colon); whether
    /// the account exists is the server's to say.
    private static func isEmail(_ text: String) -> Bool {
        (3...254).contains(text.utf8.count) && text.contains("@")
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.value > 0x20 && !(0x7F..<0xA0).contains(scalar.value) && scalar != ":"
                    && !scalar.properties.isWhitespace
            }
    }
}

extension SettingsFile {
    /// Refuses plain http to another machine, unless the file allows it for this very base URL.
    func requireSafe(
        _ url: BaseURL, name: String, insecure: [BaseURL]
    ) throws(ConfigurationError) {
        guard url.origin.scheme == "https" || url.origin.isLoopback || insecure.contains(url) else {
            throw .insecure(place(of: name), name: name, url: url.description)
        }
    }

    /// The one source of a secret.
    ///
    /// The default of the inline key is the demo account's. It holds only where neither the server
    /// nor another source is named: to send `demo` to somebody's server would be a guess.
    func oneSecret(
        inline name: String, url: BaseURL, urlName: String, form: SecretSource.Form,
        others: [SecretSource?]
    ) throws(ConfigurationError) -> SecretSource? {
        let named = others.compactMap { $0 }
        let isStandard = !isSet(name)
        var sources = named
        if !isStandard || (named.isEmpty && !isSet(urlName)) {
            let inline = try inlineSecret(name, form: form)
            if inline != nil && !url.origin.isLoopback {
                throw .inlineSecret(place(of: name), name: name, instead: "\(name)File")
            }
            sources = [inline].compactMap { $0 } + named
        }
        if sources.count > 1 { throw .twoSources(sources[0].name, sources[1].name) }
        return sources.first
    }
}
