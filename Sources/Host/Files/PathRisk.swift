internal import CLinux
internal import Glibc

/// What stands on the way to a file and lets others decide which file that is.
public enum PathRisk: Sendable, Hashable {
    /// Somebody else may change this directory, or owns it or this link.
    case others(String, FileError)
    /// A symbolic link, and where it leads to.
    case link(String, target: String)

    /// The risks from the root to the file at `path`, every link on the way followed, in the order in which
    /// the kernel meets them.
    ///
    /// - Parameters:
    ///   - path: Absolute. If a part is missing or may not be looked at, the walk ends there, and
    ///     that is no risk.
    ///   - user: The effective user id, who is trusted as root is.
    /// - Returns: Each risk once.
    public static func onTheWay(to path: String, user: UInt32) -> [PathRisk] {
        var risks: [PathRisk] = []
        var rest = names(of: path)
        var current = ""
        var links = 0
        func note(_ risk: PathRisk) { if !risks.contains(risk) { risks.append(risk) } }
        while true {
            let place = current.isEmpty ? "/" : current
            // What cannot be looked at ends the walk: opening the file tells why.
            guard let status = try? FileStatus(of: place, in: AT_FDCWD, path: place) else {
                return risks
            }
            do throws(FileError) {
                if status.isDirectory { try status.requireUnwritten(by: user, path: place) }
                if status.kind == S_IFLNK { try status.requireOwner(user, path: place) }
            } catch {
                note(.others(place, error))
            }
            if status.kind == S_IFLNK {
                links += 1
                guard links <= TrustedFile.mostLinks,
                    let target = try? TrustedFile.target(
                        of: place, in: AT_FDCWD, path: place, parent: parent(of: place))
                else { return risks }
                note(.link(place, target: target))
                rest = names(of: target) + rest
                current = ""
            }
            guard !rest.isEmpty else { return risks }
            switch rest.removeFirst() {
            case "..": current = parent(of: current)
            case let name: current += "/" + name
            }
        }
    }

    /// By scalars: a combining mark behind a slash makes one character with it.
    private static func names(of path: String) -> [String] {
        path.unicodeScalars.split(separator: "/").map { String($0) }.filter { $0 != "." }
    }

    /// The empty text stands for the root.
    private static func parent(of path: String) -> String {
        path.unicodeScalars.lastIndex(of: "/").map { String(path.unicodeScalars[..<$0]) } ?? ""
    }
}
