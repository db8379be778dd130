package import APIClient
package import CommandLine
package import Configuration
internal import Text

/// Why an answer of `setup` is not taken.
package struct SetupProblem: Error, Sendable, Hashable {
    package let sentence: String
    /// What to do about it; empty where the sentence says it.
    package let hint: String
    package let status: ExitCode
    /// Whether the server cannot be asked now, so that the answer may be right all the same.
    package let isServerAway: Bool
    /// Whether the server was asked and does not take the credentials.
    package let isRefusal: Bool
    /// Whether the cache is another account's.
    let isOtherAccount: Bool

    init(_ sentence: String, hint: String, status: ExitCode) {
        self.sentence = sentence
        self.hint = hint
        self.status = status
        isServerAway = false
        isRefusal = false
        isOtherAccount = false
    }

    init(otherAccount sentence: String) {
        self.sentence = sentence
        hint = ""
        status = .configuration
        isServerAway = false
        isRefusal = false
        isOtherAccount = true
    }

    init(_ error: BaseURLError) {
        self.init(error.description, hint: error.hint, status: .configuration)
    }

    /// A value that is in no file yet: no place is cited, and what is allowed is said once.
    package init(_ error: ConfigurationError) {
        let hint = if case .badValue = error { "" } else { error.hint }
        let status: ExitCode = if case .badSecret = error { .data } else { .configuration }
        self.init(error.sentence, hint: hint, status: status)
    }

    init(_ error: CommandError) {
        self.init(error.description, hint: error.hint, status: error.status)
    }

    package init(_ error: APIError) {
        sentence = error.description
        status = CommandError.api(error).status
        isOtherAccount = false
        switch error {
        case .transport(.cannotConnect), .transport(.timedOut), .transport(.interrupted):
            hint = error.hint
            isServerAway = true
            isRefusal = false
        case .status(let failure)
        where [408, 425, 429].contains(failure.code) || failure.code >= 500:
            hint = error.hint
            isServerAway = true
            isRefusal = false
        case .status(let failure) where [400, 401, 403, 422].contains(failure.code):
            // The usual hint is to look at the configuration, which is not written yet.
            hint = ""
            isServerAway = false
            isRefusal = true
        case .invalidRequest, .bodyNotEncodable, .transport, .status, .emptyData, .malformed,
            .redirectRefused, .tokenStore:
            hint = error.hint
            isServerAway = false
            isRefusal = false
        }
    }

    /// Both, for a person who is asked again.
    var text: String {
        Sentence.joined(sentence, hint.isEmpty ? nil : hint)
    }

    /// The end of the command, where nobody can be asked again.
    func refusal(of options: [String], hint other: String = "") -> CommandError {
        let hint =
            if !other.isEmpty {
                other
            } else if isServerAway {
                "Try again when the server can be reached, or add --no-check."
            } else {
                hint.isEmpty ? "Give another value." : hint
            }
        return .answer(options: options, sentence, hint: hint, status: status)
    }
}
