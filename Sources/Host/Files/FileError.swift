internal import Text

/// Why a file or a directory is not used. Every case names the path.
public enum FileError: Error, Sendable, Hashable {
    /// The path does not begin with `/`.
    case relativePath(String)
    /// The path is empty or holds a NUL.
    case unusablePath(String)
    /// Nothing is there.
    case missing(String)
    /// A directory is due and something else is there.
    case notADirectory(String)
    /// A regular file is due and something else is there, named in `kind`.
    case notARegularFile(String, kind: String)
    /// The file is a symbolic link.
    case symbolicLink(String)
    /// The file has more than one name.
    case hardLinked(String, links: Int)
    /// Somebody else owns it.
    case foreignOwner(String, owner: UInt32, expected: UInt32)
    /// Its group or others may write to it.
    case writableByOthers(String, isDirectory: Bool)
    /// It holds a secret and its group or others may read it.
    case readableByOthers(String)
    /// It is root's, holds a secret, and everybody may read it, or its group write it.
    case readableByEverybody(String)
    /// Something has the name that a new file was to get.
    case occupied(String)
    /// It is larger than what belongs there.
    case tooLarge(String, limit: Int)
    /// Another directory has taken the place of the one that was opened first.
    case replaced(String)
    /// The kernel refused an operation on it.
    case system(String, SystemError)

    /// What to do next, in one imperative sentence.
    public var hint: String {
        switch self {
        case .relativePath: "Give the path from the root, beginning with /."
        case .unusablePath: "Give a path that is not empty and holds no NUL character."
        case .missing: "Check that the path exists."
        case .notADirectory: "Give the path of a directory, or move the other file away."
        case .notARegularFile: "Give the path of a regular file, or move the other one away."
        case .symbolicLink: "Give the path that the link leads to."
        case .hardLinked: "Remove its other names, or make a copy and use that."
        case .foreignOwner(let path, _, let expected):
            "Run as its owner, or run: chown \(expected) \(ForeignText.shellWord(path))"
        case .writableByOthers(let path, _): "Run: chmod go-w \(ForeignText.shellWord(path))"
        case .readableByOthers(let path): "Run: chmod 600 \(ForeignText.shellWord(path))"
        case .readableByEverybody(let path):
            "Give it to the group that syncd runs with, and run: chmod 640 \(ForeignText.shellWord(path))"
        case .occupied: "Name a file that does not exist yet."
        case .tooLarge: "Check that this is the right file."
        case .replaced: "Restart, so that the directory is opened anew."
        case .system(_, let error): error.hint
        }
    }
}

extension FileError: CustomStringConvertible {
    /// What is wrong, with the path.
    public var description: String {
        switch self {
        case .relativePath(let path): "the path '\(ForeignText(path))' is not absolute"
        case .unusablePath(let path):
            path.isEmpty ? "the path is empty" : "the path '\(ForeignText(path))' holds a NUL"
        case .missing(let path): "\(ForeignText(path)) does not exist"
        case .notADirectory(let path): "\(ForeignText(path)) is not a directory"
        case .notARegularFile(let path, let kind):
            "\(ForeignText(path)) is \(kind), not a regular file"
        case .symbolicLink(let path): "\(ForeignText(path)) is a symbolic link"
        case .hardLinked(let path, let links):
            "\(ForeignText(path)) has \(links) names (hard links)"
        case .foreignOwner(let path, let owner, let expected):
            "\(ForeignText(path)) belongs to user \(owner), not to user \(expected) as it must"
        case .writableByOthers(let path, let isDirectory):
            "the \(isDirectory ? "directory" : "file") \(ForeignText(path)) can be written by others"
        case .readableByOthers(let path), .readableByEverybody(let path):
            "\(ForeignText(path)) holds a secret and can be read or written by others"
        case .occupied(let path): "there is a file at \(ForeignText(path)) already"
        case .tooLarge(let path, let limit): "\(ForeignText(path)) is larger than \(limit) bytes"
        case .replaced(let path): "\(ForeignText(path)) was replaced by another directory"
        case .system(let path, let error): "\(ForeignText(path)): \(error)"
        }
    }
}
