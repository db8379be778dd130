internal import APIClient
internal import CommandLine
internal import CurlHTTP
internal import Rendering
internal import SQLite
internal import Text

extension Command {
    static let version = Command(
        "version", "Prints the version of syncd and of the libraries it uses.", options: [.json],
        examples: ["syncd version --json"]
    ) { arguments, composition async throws(CommandError) in
        let sqlite = Connection.libraryVersion
        let curl = libcurl()
        if arguments.wantsJSON {
            try composition.console.write([
                "syncd": .string(Product.version), "sqlite": .string(sqlite),
                "libcurl": curl.map(JSONValue.string) ?? .null,
                "attribution": .string(Product.attribution),
            ])
        } else {
            try composition.console.write(line: "syncd \(Product.version)")
            try composition.console.write(line: "SQLite \(sqlite)")
            try composition.console.write(line: ForeignText(curl ?? "no libcurl").escaped)
            try composition.console.write(line: Product.attribution)
        }
        return .ok
    }

    /// Nil where it cannot be loaded; `check` says why.
    private static func libcurl() -> String? {
        do throws(TransportError) {
            return try CurlTransport.libraryVersion()
        } catch {
            return nil
        }
    }
}
