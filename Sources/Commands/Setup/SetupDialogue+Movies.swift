internal import APIClient
internal import CommandLine
internal import Configuration
internal import Text

extension SetupDialogue {
    private static let tmdb = "https://api.themoviedb.org/3"
    static let tokenOfTMDB =
        "A token of TMDB is the API Read Access Token at themoviedb.org: account settings, API."

    /// Asks for the movies' server and its token, each tried before the next; false for no movies.
    mutating func askForMovies() async throws(CommandError) -> Bool {
        guard let server = try await moviesServer(), let found = server.value else {
            text.set("movies.enabled", to: .bool(false))
            return false
        }
        text = found.text
        let kept = found.isPresent ? present?.movies.credential : nil
        let isTMDB = found.url == .tmdb
        if isTMDB, kept == nil, arguments.values["movies-token-file"] == nil {
            TerminalPrompt.say(Self.tokenOfTMDB)
        }
        while true {
            let token = try secret(
                "movies-token-file", "the movies' read token", form: .token, kept: kept?.source,
                isNew: false)
            guard server.wasTried, let problem = await attempt(token, kept, at: found) else {
                take(token)
                return true
            }
            guard arguments.values["movies-token-file"] == nil, TerminalPrompt.isThere else {
                throw problem.refusal(
                    of: ["movies-token-file"],
                    hint: isTMDB && problem.isRefusal ? Self.tokenOfTMDB : "")
            }
            tell(problem)
            if try keeps(problem) {
                take(token)
                return true
            }
        }
    }

    private func moviesServer() async throws(CommandError) -> SetupAnswer<SetupServer?>? {
        if arguments.flags.contains("no-movies") { return nil }
        let now = present.map { $0.movies.isEnabled ? $0.movies.baseURL.description : "none" }
        return try await answer(
            "movies-url", "the movies' base URL, or none", usual: now ?? Self.tmdb, present: now,
            read: { (typed) throws(SetupProblem) in
                try server(
                    typed, .movies, now: present?.movies.baseURL,
                    secrets: ["movies.token", "movies.tokenFile", "movies.apiKeyFile"])
            }, attempt: { await probe($0, .movies) })
    }

    /// One request with the token, which is not written yet.
    private func attempt(
        _ secret: SetupSecret, _ kept: Settings.MoviesSettings.Credential?, at server: SetupServer
    ) async -> SetupProblem? {
        let credential: MoviesCredential
        switch (secret, kept) {
        case (.kept(let key), .apiKey): credential = .apiKey(key)
        case (.kept(let token), _), (.new(let token), _): credential = .bearer(token)
        }
        let client = composition.moviesClient(
            server.settings, credential, over: composition.transport(server.settings))
        do throws(APIError) {
            let page = try await client.upcomingMovies(page: 1)
            composition.console.note("\(server.url): \(page.totalResults) upcoming movies")
            return nil
        } catch {
            return SetupProblem(error)
        }
    }

    private mutating func take(_ token: SetupSecret) {
        guard case .new(let secret) = token else { return }
        text.set("movies.token", to: nil)
        text.set("movies.apiKeyFile", to: nil)
        secrets.append((key: "movies.tokenFile", secret: secret))
    }
}
