internal import APIClient
internal import Configuration
internal import Declarations
internal import Host
internal import Text

/// Who else could decide what the configuration says and who gets its secrets, as `check` tells it. What
/// makes the configuration or a secret unusable at once is `Settings`' own to refuse.
struct ConfigurationTrust: Sendable {
    let settings: Settings
    /// The effective user id.
    let user: UInt32

    func findings() -> [CheckFinding] {
        var findings: [CheckFinding] = []
        for path in paths {
            for risk in PathRisk.onTheWay(to: path, user: user) {
                let finding = CheckFinding(risk, onTheWayTo: path)
                if !findings.contains(where: { $0.subject == finding.subject }) {
                    findings.append(finding)
                }
            }
        }
        return findings + plainServers
    }

    /// The files that decide; the service manager guards its credentials itself.
    private var paths: [String] {
        let secrets = settings.secrets.compactMap { source in
            if case .file(let path) = source.place { path } else { nil }
        }
        return [settings.file] + settings.listFiles + secrets
            + [settings.http.caFile].compactMap { $0 }
    }

    /// Without TLS, whoever listens on a port of this machine gets the requests to it. The `demo`
    /// of the examples is no secret.
    private var plainServers: [CheckFinding] {
        var servers: [(key: String, url: BaseURL, secret: SecretSource?)] = []
        if settings.movies.isEnabled {
            servers.append(("movies", settings.movies.baseURL, settings.movies.credential?.source))
        }
        if settings.todos.isEnabled {
            servers.append(("todos", settings.todos.baseURL, settings.todos.password))
        }
        return servers.compactMap { key, url, secret in
            guard let secret, !secret.isKnownToAll, url.origin.scheme == "http",
                url.origin.isLoopback
            else { return nil }
            return CheckFinding(
                .note, "\(key).baseURL",
                "any program that listens at \(url) before the server does gets the secret",
                hint: "Use https, or let the server start first and keep its port.")
        }
    }
}

extension CheckFinding {
    fileprivate init(_ risk: PathRisk, onTheWayTo path: String) {
        switch risk {
        case .others(let place, let error):
            self.init(
                .problem, place,
                "\(error), so others can replace \(ForeignText(path))", hint: error.hint)
        case .link(let place, let target):
            self.init(
                .note, place, "it is a symbolic link to \(ForeignText(target))",
                hint: "Make sure that it leads where you want.")
        }
    }
}
