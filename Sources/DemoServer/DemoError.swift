public import Host
public import ReferenceAPI
import Text

/// Why the demo server does not start, or stops.
public enum DemoError: Error, Sendable, Hashable {
    /// The command line is wrong; one sentence says where.
    case usage(String)
    /// Another program listens on the port.
    case portTaken(UInt16)
    /// The port cannot be listened on for another reason.
    case cannotListen(UInt16, SystemError)
    /// The state file cannot be opened, read or made.
    case stateUnusable(path: String, SystemError)
    /// The state file holds something else in this line.
    case stateNotOurs(path: String, line: Int)
    /// Another demo server uses the state file.
    case stateInUse(path: String)
    /// A change could not be saved; its answer was not sent.
    case stateNotSaved(path: String, SystemError)
    /// The file with password and token cannot be read.
    case secretsUnreadable(path: String, SystemError)
    /// A file of recorded movies cannot be read.
    case moviesUnreadable(path: String, SystemError)
    /// The files of recorded movies make no list; `path` is the file that is meant, if one is.
    case moviesRefused(path: String?, RecordedPagesError)
    /// A file of a list cannot be read.
    case listUnreadable(path: String, SystemError)
    /// A file of a list holds no JSON array.
    case listRefused(path: String)
    /// Standard output does not take the line with the address.
    case output(OutputError)

    /// The exit status (sysexits(3)).
    public var exitStatus: Int32 {
        switch self {
        case .usage: 64
        case .stateUnusable, .stateNotOurs, .secretsUnreadable, .moviesUnreadable,
            .moviesRefused, .listUnreadable, .listRefused:
            65
        case .cannotListen: 69
        case .stateNotSaved, .output: 74
        case .portTaken, .stateInUse: 75
        }
    }

    /// What to do next, in one imperative sentence.
    public var hint: String {
        switch self {
        case .usage: "Run demo-api --help to see the options."
        case .portTaken: "Stop the other program, or choose another port with --port (0: any)."
        case .stateInUse: "Stop the other demo-api, or give another file with --state."
        case .stateNotOurs: "Move the file away to start anew, or give another one with --state."
        case .moviesRefused(_, let error): error.hint
        case .listRefused: "Give a file that holds one JSON array."
        case .output(let error): error.hint
        case .cannotListen(_, let error), .stateUnusable(_, let error),
            .stateNotSaved(_, let error), .secretsUnreadable(_, let error),
            .moviesUnreadable(_, let error), .listUnreadable(_, let error):
            error.hint
        }
    }
}

extension DemoError: CustomStringConvertible {
    /// What is wrong, on one line.
    public var description: String {
        switch self {
        case .usage(let sentence): sentence
        case .portTaken(let port): "another program listens on port \(port) of this machine"
        case .cannotListen(let port, let error): "cannot listen on port \(port): \(error)"
        case .stateUnusable(let path, let error):
            "the state file \(ForeignText(path)) cannot be used: \(error)"
        case .stateNotOurs(let path, let line):
            "\(ForeignText(path)) is not a state file of demo-api: line \(line) cannot be read"
        case .stateInUse(let path): "another demo-api uses the state file \(ForeignText(path))"
        case .stateNotSaved(let path, let error):
            "a change could not be saved in \(ForeignText(path)): \(error)"
        case .secretsUnreadable(let path, let error):
            "the file of secrets \(ForeignText(path)) cannot be used: \(error)"
        case .moviesUnreadable(let path, let error):
            "the movies file \(ForeignText(path)) cannot be read: \(error)"
        case .moviesRefused(let path?, let error): "\(ForeignText(path)): \(error)"
        case .moviesRefused(nil, let error): "the movies files: \(error)"
        case .listUnreadable(let path, let error):
            "the list \(ForeignText(path)) cannot be read: \(error)"
        case .listRefused(let path): "\(ForeignText(path)) holds no JSON array"
        case .output(let error): error.description
        }
    }
}
