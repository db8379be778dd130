package import APIClient
package import CommandLine
package import Configuration
package import Host
package import SQLite
package import Store

/// Why a command did not do what it was asked to: every error of the rooms below, in one place.
package enum CommandError: Error, Sendable, Hashable {
    /// The command line is wrong.
    case usage(UsageError)
    /// What was given cannot be taken.
    case data(String, hint: String)
    case configuration(ConfigurationError)
    case store(StoreError)
    case statement(SQLiteError)
    case api(APIError)
    case file(FileError)
    case lock(LockError)
    case output(OutputError)
    case system(SystemError)
    /// A file, a directory or standard input is not for this user, or not there.
    case input(String, hint: String)
    /// Nothing is wrong but the moment.
    case tryLater(String, hint: String)
    /// The configuration is right, but not for this command.
    case notConfigured(String, hint: String)
    /// There is no cache, because nothing has been configured.
    case unconfigured(path: String)
    case interrupted
    /// What an option gives was tried and failed; no option: the command's operand.
    case answer(options: [String], String, hint: String, status: ExitCode)
}

extension CommandError: CustomStringConvertible {
    /// What went wrong and where, in one sentence.
    package var description: String {
        switch self {
        case .data(let text, _), .input(let text, _), .tryLater(let text, _),
            .notConfigured(let text, _):
            text
        case .usage(let error): error.description
        case .configuration(let error): error.description
        case .store(let error): error.description
        case .statement(let error): error.message
        case .api(let error): error.description
        case .file(let error): error.description
        case .lock(let error): error.description
        case .output(let error): error.description
        case .system(let error): error.description
        case .unconfigured(let path): "there is no cache at \(path), and no configuration yet"
        case .interrupted: "interrupted"
        case .answer(let options, let text, _, _):
            options.isEmpty
                ? text : options.map { "--\($0)" }.joined(separator: " and ") + ": " + text
        }
    }

    /// One imperative sentence: what the person can do.
    package var hint: String {
        switch self {
        case .usage(let error): error.hint
        case .data(_, let hint), .input(_, let hint), .tryLater(_, let hint),
            .notConfigured(_, let hint), .answer(_, _, let hint, _):
            hint
        case .configuration(let error): error.hint
        case .store(let error): error.hint
        case .statement(let error):
            [.readOnly, .authorization].contains(error.code.primary)
                ? "Change todos with `syncd todo`; `query` only reads." : error.hint
        case .api(let error): error.hint
        case .file(let error): error.hint
        case .lock(let error): error.hint
        case .output(let error): error.hint
        case .system(let error): error.hint
        case .unconfigured:
            "Run `syncd setup`, or `syncd declare URL --write` for a list of any server."
        case .interrupted: "Run the command again."
        }
    }
}

extension CommandError {
    /// What the process ends with.
    package var status: ExitCode {
        switch self {
        case .usage: .usage
        case .data: .data
        case .configuration, .notConfigured: .configuration
        case .store(let error): error.exitCode
        case .statement(let error): error.exitCode
        case .api(let error): error.exitCode
        case .file, .system, .input, .unconfigured: .disk
        case .lock(.held), .tryLater: .tryLater
        case .lock(.file): .disk
        case .lock(.cancelled), .interrupted: .interrupted
        case .output(.closedPipe): .closedPipe
        case .output(.diskFull), .output(.other): .disk
        case .answer(_, _, _, let status): status
        }
    }
}

extension StoreError {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .otherAccount, .changesWait, .conflictsWait: .configuration
        case .busy, .longWork: .tryLater
        case .stopped: .interrupted
        case .refused, .unknownRow, .unknownOperation, .unknownConflict, .unusableBody, .occupied:
            .data
        case .missing, .cannotOpen, .notADatabase, .foreignDatabase, .foreignKey, .constraint,
            .foreignTable, .unseenWrites, .changedTable, .newerSchema,
            .olderSchema, .editedMigration, .replaced, .diskFull, .inputOutput, .corrupt, .readOnly,
            .statement:
            .disk
        }
    }
}

extension SQLiteError {
    /// For a statement from outside: if the disk is not at fault, then the statement is.
    fileprivate var exitCode: ExitCode {
        switch code.primary {
        case .busy, .locked, .lockProtocol: .tryLater
        case .inputOutput, .corrupt, .full, .cannotOpen, .notADatabase: .disk
        default: .data
        }
    }
}

extension APIError {
    /// For a call that a person waits for.
    fileprivate var exitCode: ExitCode {
        switch self {
        case .bodyNotEncodable: .data
        case .invalidRequest, .emptyData, .malformed, .redirectRefused: .configuration
        case .tokenStore: .disk
        case .transport(.cancelled): .interrupted
        case .transport(.notHTTP), .transport(.invalidRequest), .transport(.bodyTooLarge),
            .transport(.headerTooLarge), .transport(.missingLibrary):
            .configuration
        case .transport(.cannotConnect), .transport(.untrusted), .transport(.timedOut),
            .transport(.interrupted):
            .unavailable
        case .status(let failure): failure.exitCode
        }
    }
}

extension StatusFailure {
    fileprivate var exitCode: ExitCode {
        switch code {
        case _ where refusesCredentials: .credentials
        case 407: .credentials
        case 429: .tryLater
        case 408, 425: .unavailable
        case 404, 405, 410, 300..<400: .configuration
        case 400..<500: .data
        case 500...: retryAfter == nil ? .unavailable : .tryLater
        default: .configuration
        }
    }
}
