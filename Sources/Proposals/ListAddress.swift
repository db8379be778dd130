package import APIClient
package import Declarations
internal import Text

/// The address of a list as a person writes it, in the two parts that a declaration has.
package struct ListAddress: Sendable, Hashable {
    /// The server.
    package let baseURL: BaseURL
    /// The path below it, with its query.
    package let list: String

    /// Why a text is no address of a list. The text is not repeated: it may hold a password.
    package struct Problem: Error, Sendable, Hashable {
        package let sentence: String
        package let hint: String
    }

    /// Parameters that are secrets wherever they are known.
    private static let secrets: Set = [
        "access_token", "accesstoken", "api_key", "apikey", "api-key", "auth_token", "authtoken",
        "password", "private_token", "secret", "token",
    ]

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - text: What the person wrote.
    ///   - baseURL: Of the server that is meant; nil: the origin of the address.
    /// - Throws: ``Problem``.
    package init(_ text: String, below baseURL: BaseURL? = nil) throws(Problem) {
        let scheme = ["https://", "http://"].first {
            text.lowercased().utf8.starts(with: $0.utf8)
        }
        let rest = Array(text.utf8).dropFirst(scheme?.utf8.count ?? 0)
        let slash = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let origin: BaseURL
        do throws(BaseURLError) {
            origin = try BaseURL(String(decoding: Array(text.utf8)[..<slash], as: UTF8.self))
        } catch {
            throw Problem(
                sentence: "the address of the list cannot be used: \(error)", hint: error.hint)
        }
        let path = try Self.path(rest[slash...])
        self.baseURL = baseURL ?? origin
        guard let list = Self.list(of: path, at: origin.origin, below: self.baseURL) else {
            throw Problem(
                sentence: "the address does not begin with that of the server, \(self.baseURL)",
                hint: "Name the server that it begins with, or leave out --server.")
        }
        self.list = list
    }

    /// The path and the query of an address, which has no secret.
    private static func path(_ list: ArraySlice<UInt8>) throws(Problem) -> String {
        guard !list.contains(UInt8(ascii: "#")) else {
            throw Problem(
                sentence: "the address of the list has a # in it, which no server sees",
                hint: "Leave out the # and what follows, or write it as %23.")
        }
        guard list.allSatisfy({ (0x21...0x7E).contains($0) }), list.count <= 2000 else {
            throw Problem(
                sentence:
                    "the address of the list has a space or a character outside ASCII, or is very long",
                hint: "Write such characters in percent encoding, a space as %20.")
        }
        let whole = list.first == UInt8(ascii: "/") ? Array(list) : Array("/".utf8) + list
        let path = String(decoding: whole, as: UTF8.self)
        guard !path.hasPrefix("//") else {
            throw Problem(
                sentence: "the path of the list begins with two slashes", hint: "Write one of them."
            )
        }
        let secret = SeenPath(path).parameters.first {
            secrets.contains($0.name.lowercased())
        }
        if let secret {
            throw Problem(
                sentence: "the address of the list has a secret in its query, \(secret.name)=…",
                hint: "Put it into a file of mode 0600, and give --token-file FILE"
                    + " --token-as 'query \(secret.name)'.")
        }
        return path
    }

    /// The part of a target below the base URL; nil where it lies elsewhere.
    package func list(ofTarget target: String) -> String? {
        Self.list(of: target, at: baseURL.origin, below: baseURL)
    }

    private static func list(of target: String, at origin: Origin, below baseURL: BaseURL)
        -> String?
    {
        guard origin == baseURL.origin, target.utf8.starts(with: baseURL.path.utf8) else {
            return nil
        }
        let rest = String(decoding: target.utf8.dropFirst(baseURL.path.utf8.count), as: UTF8.self)
        guard rest.hasPrefix("/"), !rest.hasPrefix("//") else { return nil }
        return rest
    }

    /// The name of the list, after the last part of its path; nil where that is no name.
    package var name: ListName? {
        let last = SeenPath(list).lastPart
        guard !last.isEmpty else { return nil }
        let name = ColumnNames.plain(last)
        return try? ListName(String(name.prefix(41)))
    }
}
