internal import Configuration
internal import Declarations
internal import Host
internal import Text

/// The file that declares a new list.
struct NewListFile: Sendable {
    let name: ListName
    let settings: Settings
    let composition: Composition

    /// Refuses a name that is taken, and one file too many.
    func requireFree() throws(CommandError) {
        let (path, count) = try place()
        guard !DraftedFile(path).exists else { throw taken(path) }
        guard count < Limits.lists else {
            throw .configuration(
                .tooManyLists(
                    directory: directory(of: path), count: count + 1, limit: Limits.lists))
        }
    }

    /// The list that is asked for, before anything is known of it.
    func unknownList(of server: JSONNode) throws(CommandError) -> ListSettings {
        try checked(
            JSONNode.object([
                ("server", server), ("list", .text("/")), ("id", .text("$.id")),
                ("columns", .object([("id", .text("text $.id"))])),
            ]).lines)
    }

    /// The list that `bytes` declare, as the next start would read it.
    func checked(_ bytes: [UInt8]) throws(CommandError) -> ListSettings {
        do throws(ConfigurationError) {
            return try settings.list(bytes, named: name, facts: composition.facts)
        } catch .declaration(_, let problems) where problems.first != nil {
            // No file has it yet, so no place in one is named.
            throw .notConfigured(
                problems.map(\.sentence).joined(separator: "; "), hint: problems[0].hint)
        } catch {
            throw .configuration(error)
        }
    }

    /// Writes it, whole or not at all, and over nothing. Whoever may read the configuration may read it.
    ///
    /// - Returns: Its path.
    func write(_ bytes: [UInt8]) throws(CommandError) -> String {
        let (path, _) = try place()
        let folder = directory(of: path)
        let mode = FileFacts.mode(following: settings.file) & 0o044
        let isNew = !DraftedFile(folder).exists
        try CommandError.from(CommandError.file) { () throws(FileError) in
            _ = try StateDirectory(preparing: folder, user: composition.facts.user)
        }
        if isNew { FileFacts.share(folder, as: settings.file, mode: 0o700 | mode | mode >> 2) }
        try put(bytes, at: path, mode: 0o600 | mode)
        FileFacts.share(path, as: settings.file, mode: 0o600 | mode)
        return path
    }

    /// Writes an empty configuration where there is none. What it leaves out is as usual.
    ///
    /// - Returns: Its path; nil where it was there.
    func writeConfiguration() throws(CommandError) -> String? {
        guard !DraftedFile(settings.file).exists else { return nil }
        try CommandError.from(CommandError.file) { () throws(FileError) in
            _ = try StateDirectory(
                preparing: directory(of: settings.file), user: composition.facts.user)
        }
        try put(ConfigurationText().bytes, at: settings.file, mode: 0o600)
        return settings.file
    }

    private func put(_ bytes: [UInt8], at path: String, mode: UInt32) throws(CommandError) {
        do {
            try DraftedFile(path).write(bytes, mode: mode, replaces: false)
        } catch FileError.occupied {
            throw taken(path)
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .input("\(path) cannot be written", hint: "Look at the disk, and try again.")
        }
    }

    private func place() throws(CommandError) -> (path: String, count: Int) {
        try CommandError.from(CommandError.configuration) { () throws(ConfigurationError) in
            let (directory, file, count) = try settings.place(ofList: name)
            return (directory == "/" ? "/\(file)" : "\(directory)/\(file)", count)
        }
    }

    private func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private func taken(_ path: String) -> CommandError {
        .data(
            "\(path) is there already, and nothing is overwritten",
            hint: "Choose another name by --name, or remove the file.")
    }
}
