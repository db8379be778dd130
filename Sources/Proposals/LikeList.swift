internal import APIClient
package import Text

/// A ready declaration, with an address, an account and a secret of somebody's own.
///
/// Law: beside these, every line is as it is in the ready one.
package struct LikeList: Sendable, Hashable {
    /// The object of the file.
    package private(set) var declaration: JSONNode
    /// What each changed line is, and what a person still has to change.
    package private(set) var evidence: [ListProposal.Evidence] = []

    /// - Parameters:
    ///   - ready: The object of a file in `examples/lists`.
    ///   - address: Of the list, or of the server alone; nil: as in the ready declaration.
    ///   - user: Nil: as there.
    ///   - secretFile: Where the secret is, absolute; nil: as there.
    /// - Throws: ``ListAddress/Problem`` for a user or a secret that the server does not ask for.
    package init(
        _ ready: JSONNode, at address: ListAddress?, user: String?, secretFile: String?
    ) throws(ListAddress.Problem) {
        declaration = ready
        try move(to: address)
        try set(user: user)
        try set(secretFile: secretFile)
    }

    /// The same as what `declare` proposes from an answer.
    package var proposal: ListProposal {
        ListProposal(declaration: declaration, evidence: evidence, warnings: [])
    }

    /// The path of the list with its query; it names the table where nobody does.
    package var list: String { text(["list"]) ?? "/" }

    private mutating func move(to address: ListAddress?) throws(ListAddress.Problem) {
        let base = text(["server", "baseURL"]) ?? ""
        guard let address else {
            return note("server", "\(base) is an example: give the address of your list")
        }
        guard !address.list.contains(where: { "{}".contains($0) }) else {
            throw ListAddress.Problem(
                sentence: "the address of the list has a brace in it",
                hint: "Write { as %7B, and } as %7D.")
        }
        let old = Self.halves(list)
        let new = Self.halves(address.list)
        let place = Self.place(
            of: new.path, like: old.path,
            behind: String(base.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }))
        let baseURL = address.baseURL.description + place.base
        set(["server", "baseURL"], to: baseURL)
        set(["list"], to: place.list + (new.query.isEmpty ? old.query : new.query))
        for call in ["create", "update", "delete", "read"] {
            guard let path = text([call, "path"]) else { continue }
            set([call, "path"], to: Self.moved(path, from: old.path, to: place.list))
        }
        note("server", "\(baseURL), and the list is \(list)")
    }

    /// The two parts of the path of an address: that of the server, and that of the list.
    ///
    /// The address may be that of the server alone, or have the path of another list there.
    private static func place(
        of path: String, like list: String, behind base: String
    ) -> (base: String, list: String) {
        if path == "/" || path == base || path == base + "/" { return (base, list) }
        if path.hasPrefix(base + "/") { return (base, String(path.dropFirst(base.count))) }
        if path.hasSuffix(list) { return (String(path.dropLast(list.count)), list) }
        return ("", path)
    }

    /// The path of a call, below the list's new path where it was below the old one.
    private static func moved(_ call: String, from old: String, to new: String) -> String {
        let (path, query) = Self.halves(call)
        if path == old { return new + query }
        let (old, new) = (withoutSlash(old), withoutSlash(new))
        return path.hasPrefix(old + "/") ? new + path.dropFirst(old.count) + query : call
    }

    /// The path, and the query with its mark.
    private static func halves(_ target: String) -> (path: String, query: String) {
        let path = target.prefix { $0 != "?" }
        return (String(path), String(target[path.endIndex...]))
    }

    private static func withoutSlash(_ path: String) -> String {
        path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private mutating func set(user: String?) throws(ListAddress.Problem) {
        let place = ["server", "auth", "user"]
        guard let now = text(place) else {
            guard user == nil else {
                throw ListAddress.Problem(
                    sentence: "this server does not ask for a user",
                    hint: "Leave out --user.")
            }
            return
        }
        if let user { set(place, to: user) }
        note("user", user.map { "\($0), as it was given" } ?? "\(now) is an example: give --user")
    }

    private mutating func set(secretFile: String?) throws(ListAddress.Problem) {
        let keys = ["tokenFile", "valueFile", "passwordFile"]
        let place = keys.map { ["server", "auth", $0] }.first { text($0) != nil }
        guard let place, let now = text(place) else {
            guard secretFile == nil else {
                throw ListAddress.Problem(
                    sentence: "this server does not ask for a secret",
                    hint: "Leave out --token-file.")
            }
            return
        }
        if let secretFile { set(place, to: secretFile) }
        note(
            place[2],
            "\(secretFile ?? now), a file of mode 0600 with the "
                + (place[2] == "passwordFile" ? "password" : "token") + " alone")
    }

    private mutating func note(_ key: String, _ sentence: String) {
        evidence.append(ListProposal.Evidence(key, sentence))
    }

    private func text(_ names: [String]) -> String? {
        let node = names.reduce(declaration as JSONNode?) { $0?.member($1) }
        guard case .text(let text)? = node?.value else { return nil }
        return text
    }

    private mutating func set(_ names: [String], to text: String) {
        declaration = declaration.setting(names[...], to: .text(text))
    }
}

extension JSONNode {
    fileprivate func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == name }?.node
    }

    /// The node with another one in the place of a member that is there.
    fileprivate func setting(_ names: ArraySlice<String>, to node: JSONNode) -> JSONNode {
        guard let name = names.first, case .object(let members) = value else { return node }
        return .object(
            members.map {
                ($0.key, $0.key == name ? $0.node.setting(names.dropFirst(), to: node) : $0.node)
            })
    }
}
