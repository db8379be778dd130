internal import APIClient
internal import Configuration
internal import Declarations

extension SetupDialogue {
    /// Reads the address of a server; nil for `none`. If it is another one than `now`, which the present
    /// configuration names, then the keys `secrets` go: what they hold is for that server alone.
    func server(
        _ typed: String, _ kind: ServerProbe.Kind, now: BaseURL?, secrets: [String]
    ) throws(SetupProblem) -> SetupServer? {
        guard typed != "none" else { return nil }
        let url: BaseURL
        do throws(BaseURLError) {
            url = try BaseURL(typed)
        } catch {
            throw SetupProblem(error)
        }
        let section = kind == .movies ? "movies" : "todos"
        var changed = text
        changed.set("\(section).enabled", to: nil)
        let isPresent = url == now
        if !isPresent {
            changed.set("\(section).baseURL", to: .text(typed))
            for key in secrets { changed.set(key, to: nil) }
        }
        // Whose account it is comes with the next question.
        var judged = changed
        if kind == .todos { judged.set("todos.enabled", to: .bool(false)) }
        return SetupServer(
            address: typed, url: url, text: changed, settings: try settings(judged),
            isPresent: isPresent)
    }

    /// Whether a server of this kind answers there; nil where it does, or should not be asked.
    func probe(_ server: SetupServer?, _ kind: ServerProbe.Kind) async -> SetupProblem? {
        guard triesServers, let server else { return nil }
        let probe = ServerProbe(
            baseURL: server.url, limits: server.settings.limits, userAgent: Product.userAgent,
            transport: composition.transport(server.settings), secrets: composition.secrets)
        do throws(APIError) {
            try await probe.ask(for: kind)
            return nil
        } catch {
            return SetupProblem(error)
        }
    }
}
