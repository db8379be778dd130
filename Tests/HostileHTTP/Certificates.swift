import Foundation

/// A certification authority of our own and what it signed, made with `openssl` in a directory
/// that is removed with this value.
package final class Certificates: Sendable {
    /// One certificate of the server, by what is wrong with it.
    package enum Kind: String, Sendable {
        case valid, wrongHost, expired, notYetValid, selfSigned
    }

    private let directory: String
    private let name: String
    /// The authority's certificate, for `caFile`.
    package var authority: String { directory + "/authority.pem" }
    package var key: String { directory + "/leaf.key" }

    package func certificate(_ kind: Kind) -> String { "\(directory)/\(kind.rawValue).pem" }

    /// Makes them; `name` is the authority's.
    package init(name: String = "Authority of a test") async throws {
        self.name = name
        directory =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("syncd-certificates-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try write(configuration, to: "openssl.cnf")
        try write("", to: "index.txt")
        try write("01\n", to: "serial")
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try await run(
            ["req", "-x509", "-keyout", "authority.key", "-out", "authority.pem"] + newKey
                + ["-days", "2", "-extensions", "authority"])
        try await run(["req", "-keyout", "leaf.key", "-out", "leaf.csr"] + newKey)
        try await run([
            "req", "-x509", "-key", "leaf.key", "-out", "selfSigned.pem", "-days", "2",
            "-extensions", "leaf", "-subj", "/CN=leaf",
        ])
        let (past, now, future) = ("20200101000000Z", "20240101000000Z", "20400101000000Z")
        try await sign(.valid, "leaf", from: now, to: future)
        try await sign(.wrongHost, "other", from: now, to: future)
        try await sign(.expired, "leaf", from: past, to: now)
        try await sign(.notYetValid, "leaf", from: future, to: "20410101000000Z")
    }

    deinit {
        // Nothing depends on the directory being gone.
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
    }

    private func sign(_ kind: Kind, _ section: String, from: String, to: String) async throws {
        try await run([
            "ca", "-batch", "-notext", "-cert", "authority.pem", "-keyfile", "authority.key",
            "-in", "leaf.csr", "-out", "\(kind.rawValue).pem", "-extensions", section,
            "-startdate", from, "-enddate", to,
        ])
    }

    /// Runs one command of `openssl`; names of files are taken within the directory.
    private func run(_ arguments: [String]) async throws {
        let endings = [".key", ".pem", ".csr"]
        try await Child.run(
            ["/usr/bin/openssl"]
                + arguments.map { word in
                    endings.contains { word.hasSuffix($0) } ? "\(directory)/\(word)" : word
                } + ["-config", "\(directory)/openssl.cnf"])
    }

    private var configuration: String {
        """
        [ca]
        default_ca = store
        [store]
        new_certs_dir = \(directory)
        database = \(directory)/index.txt
        serial = \(directory)/serial
        default_md = sha256
        policy = any
        unique_subject = no
        [any]
        commonName = supplied
        [req]
        distinguished_name = name
        prompt = no
        [name]
        CN = \(name)
        [leaf]
        subjectAltName = IP:127.0.0.1,DNS:localhost
        [other]
        subjectAltName = DNS:other.example
        [authority]
        basicConstraints = critical,CA:true
        keyUsage = critical,keyCertSign,cRLSign
        """
    }
}
