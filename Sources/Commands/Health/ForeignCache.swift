internal import Glibc
internal import Host
internal import Text

/// A cache of another user, which one can read and not write: the service's, for members of its group.
///
/// That is how docs/operations.md sets it up, so nothing is wrong with its owner or modes. To give
/// the files to the reader would stop the service.
struct ForeignCache: Sendable, Hashable {
    let path: String
    /// The user id.
    let owner: UInt32

    /// Nil where there is no cache at `path`, or where it may not even be read.
    init?(at path: String, owner: UInt32) {
        guard access(path, R_OK) == 0 else { return nil }
        self.path = path
        self.owner = owner
    }

    private var user: String { UserName.of(owner) ?? "#\(owner)" }

    var sentence: String {
        "the cache \(ForeignText(path)) belongs to user \(ForeignText(user)), and you can only read it"
    }

    /// How one changes it all the same.
    var hint: String {
        "To change it, run syncd as that user: sudo -u \(ForeignText.shellWord(user)) syncd todo add …"
    }
}
