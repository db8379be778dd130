internal import APIClient
internal import CommandLine
internal import Configuration
internal import Proposals
internal import Text

extension ListLook {
    /// What an answer that brought no list means for the person who gave its address.
    func refusal(_ error: APIError, _ response: HTTPResponse) -> CommandError {
        switch error {
        case .status(let failure): refusal(failure, response)
        case .malformed where SeenList.isPage(response.body):
            .data(ProposalError.page.description, hint: ProposalError.page.hint)
        case .malformed, .emptyData:
            .data(error.description, hint: "Give the address of a list in JSON.")
        case .redirectRefused(let reason):
            .data(
                "the server redirects to where syncd does not follow: \(reason)",
                hint: "Give the address that it redirects to.")
        case .transport(.bodyTooLarge):
            .data(
                error.description,
                hint: "Ask for fewer rows, by ?limit=100 or what the server knows for that.")
        case .invalidRequest, .bodyNotEncodable, .transport, .tokenStore: .api(error)
        }
    }

    private func refusal(_ failure: StatusFailure, _ response: HTTPResponse) -> CommandError {
        if case .server(let server) = credential, failure.isOfLogin || failure.refusesCredentials {
            return server.refusal(of: failure)
        }
        let hasToken = if case .tokenFile = credential { true } else { false }
        func answer(_ hint: String, _ status: ExitCode, isToken: Bool = false) -> CommandError {
            .answer(
                options: isToken ? ["token-file"] : [], failure.description, hint: hint,
                status: status)
        }
        switch failure.code {
        case 401 where hasToken:
            let way = way(response).map { " " + $0 } ?? ""
            return answer(
                "Look whether the file has the whole token. If the server wants it in another place,"
                    + " say so by --token-as\(way).", .credentials, isToken: true)
        case 403 where hasToken:
            return answer("Let the token read this list.", .credentials, isToken: true)
        case 401, 403:
            return answer(tokenHint(response), .credentials)
        case 404, 410:
            return answer("Check the address: the server has nothing there.", .data)
        case 405:
            return answer("Give the address of a list that GET reads.", .data)
        case 406:
            return answer("Add --header 'Accept: application/json'.", .data)
        default: return .api(.status(failure))
        }
    }

    private func tokenHint(_ response: HTTPResponse) -> String {
        let way = way(response)
        guard way != Self.basic else {
            return "Put a password into a file of mode 0600, and add --token-file FILE"
                + " --token-as \(Self.basic)."
        }
        return "Put a token into a file of mode 0600, and add --token-file FILE. --token-as says"
            + " how it is sent, if not as a bearer token" + (way.map { ": here \($0)" } ?? "")
            + ". If the server wants a login with a password, then start from a ready declaration:"
            + " --like."
    }

    private static let basic = "'basic USER'"

    /// How the server wants to know who asks, in the words of `--token-as` (RFC 9110 §11.6.1); nil for a bearer
    /// token, and where it does not say so in a word. It is `Token` at Django REST framework.
    private func way(_ response: HTTPResponse) -> String? {
        let challenge = response.value(of: "WWW-Authenticate") ?? ""
        let scheme = challenge.prefix { $0.isASCII && $0.isLetter }
        guard (1...20).contains(scheme.count) else { return nil }
        return switch scheme.lowercased() {
        case "basic": Self.basic
        case "bearer": nil
        default: "'header Authorization \(scheme)'"
        }
    }
}

extension ServerSettings {
    /// What a refusal of a server of the configuration means: nobody gave a file on the command line.
    fileprivate func refusal(of failure: StatusFailure) -> CommandError {
        guard !failure.isOfLogin else { return refusal(of: .status(failure), list: nil) }
        let status = CommandError.api(.status(failure)).status
        guard let source = credential.source else {
            return .answer(
                options: [], failure.description,
                hint: "Add \(name).auth to the configuration: the server wants to know who asks.",
                status: status)
        }
        return .answer(
            options: [], failure.description,
            hint: failure.code == 403
                ? "Let the account of \(name).auth read this list."
                : "Look whether \(source.name) has the right secret, and \(name).auth the right kind.",
            status: status)
    }
}
