internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Rendering
internal import Text

extension Command {
    static let resourceList = Command(
        "resource list", "Prints the lists that the configuration declares.",
        options: [.json],
        notes: ["`syncd status` says how fresh each of them is."],
        statuses: [.configuration], examples: ["syncd resource list"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        let lists = settings.everyList.sorted {
            $0.declaration.name.text < $1.declaration.name.text
        }
        guard arguments.wantsJSON else {
            try composition.console.write(
                Table(
                    columns: [
                        .init("resource"), .init("kept"), .init("interval"), .init("programs can"),
                        .init("url", isWhole: true),
                    ],
                    rows: lists.map { list in
                        let calls = list.declaration.writes
                        return [
                            .init(list.declaration.name.text),
                            .init(list.declaration.isEnabled ? "yes" : "no"),
                            .init(HumanTime.written(list.declaration.interval)),
                            .init((["read"] + calls).joined(separator: ", ")), .init(list.url),
                        ]
                    }))
            return .ok
        }
        try composition.console.write(
            .array(
                lists.map { list in
                    [
                        "resource": .string(list.declaration.name.text), "url": .string(list.url),
                        "enabled": .bool(list.declaration.isEnabled),
                        "interval": .string(HumanTime.written(list.declaration.interval)),
                        "writes": .array(list.declaration.writes.map { .string($0) }),
                    ]
                }))
        return .ok
    }
}

extension ListSettings {
    /// Where it is.
    fileprivate var url: String { server.baseURL.description + declaration.list }
}

extension Declaration {
    /// The names of the calls that it has.
    fileprivate var writes: [String] {
        WriteCall.Kind.allCases.filter { calls[$0] != nil }.map(\.rawValue)
    }
}
