internal import Host
internal import Store

/// A damaged cache that was moved aside, as long as nobody removes it.
public struct DamagedCopy: Sendable, Hashable {
    /// Where it lies.
    public let path: String
    /// What became of it, as a salvage has written beside it; nil where that is gone.
    public let note: String?

    /// Those of the cache at `path`, the oldest first; none where its directory cannot be read.
    public static func all(of path: String) -> [DamagedCopy] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        let prefix = path[path.index(after: slash)...] + ".corrupt-"
        let names = (try? DirectoryListing.names(in: folder)) ?? []
        // The log of each, and the note, are not one more.
        let copies = names.filter { name in
            name.hasPrefix(prefix) && !name.hasSuffix("-wal") && !name.hasSuffix("-shm")
                && !name.hasSuffix("-journal") && !name.hasSuffix(SalvageNote.suffix)
        }
        return copies.map { name in
            let copy = folder == "/" ? "/" + name : folder + "/" + name
            return DamagedCopy(path: copy, note: SalvageNote(of: copy).read())
        }
    }
}
