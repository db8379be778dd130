internal import Host

/// Where the files are that declare lists.
struct ListDirectory: Sendable, Hashable {
    /// Without a slash at its end, unless it is the root.
    let path: String
    private let isNamed: Bool

    /// The one that the configuration names, or else `lists` beside the file `configuration`.
    init(named: String?, configuration: String) {
        isNamed = named != nil
        if let named {
            path = named.count > 1 && named.hasSuffix("/") ? String(named.dropLast()) : named
        } else {
            let slash = configuration.utf8.lastIndex(of: UInt8(ascii: "/"))
            path = (slash.map { String(configuration[...$0]) } ?? "") + "lists"
        }
    }

    /// The names of the files, sorted; none where the usual directory is missing.
    func files() throws(ConfigurationError) -> [String] {
        let names: [String]
        do throws(FileError) {
            names = try DirectoryListing.names(in: path)
        } catch {
            if case .missing = error, !isNamed { return [] }
            throw .listDirectory(error)
        }
        return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    }
}
