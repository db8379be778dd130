internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Recovery
internal import Rendering
internal import Store
internal import Text

extension Command {
    static let lists = Command(
        "lists", "Prints the lists that are declared, and how fresh each is.",
        options: [.json],
        notes: [
            "Before the first sync, there is no state. `syncd status` tells the last errors, and what",
            "waits to be sent.",
        ],
        statuses: [.configuration], examples: ["syncd lists"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.usableSettings(for: arguments)
        for broken in settings.brokenLists { composition.console.warn(broken.remark) }
        let lists = settings.everyList.sorted {
            $0.declaration.name.text < $1.declaration.name.text
        }
        let known = try await composition.statusRows(of: try composition.place(for: arguments))
        guard arguments.wantsJSON else {
            let now = composition.time.wallTime()
            try composition.console.write(
                Table(
                    columns: [
                        .init("list"), .init("kept"), .init("state"),
                        .init("rows", alignment: .trailing), .init("last success"),
                        .init("interval"), .init("programs can"), .init("url", isWhole: true),
                    ],
                    rows: lists.map { $0.cells(known[$0.declaration.name.text], now: now) }))
            return settings.brokenLists.isEmpty ? .ok : .configuration
        }
        try composition.console.write(
            .array(lists.map { $0.json(known[$0.declaration.name.text]) }))
        return settings.brokenLists.isEmpty ? .ok : .configuration
    }
}

extension Composition {
    /// How each list stands in the cache, by its name; nothing where there is no cache yet.
    fileprivate func statusRows(
        of place: CachePlace
    ) async throws(CommandError) -> [String: StatusRow] {
        let found = try CommandError.trying(
            CommandError.file, try DatabaseFile.find(at: place.path))
        guard found != nil else { return [:] }
        let store = try openForReading(place)
        let rows = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in try await store.status()
        }
        return Dictionary(rows.map { ($0.list, $0) }) { first, _ in first }
    }
}

extension ListSettings {
    /// A line of the table.
    fileprivate func cells(_ row: StatusRow?, now: WallTime) -> [Table.Cell] {
        [
            .init(declaration.name.text), .init(declaration.isEnabled ? "yes" : "no"),
            .init(row?.state ?? "", row?.emphasis ?? .plain),
            .init(row?.rows.map { "\($0)" } ?? ""),
            .init(
                row.map {
                    CacheStatus.relative($0.lastSuccessAt, now: now, otherwise: "never")
                } ?? ""),
            .init(HumanTime.written(declaration.interval)),
            .init((["read"] + declaration.writes).joined(separator: ", ")), .init(url),
        ]
    }

    fileprivate func json(_ row: StatusRow?) -> JSONValue {
        [
            "list": .string(declaration.name.text), "url": .string(url),
            "enabled": .bool(declaration.isEnabled), "state": .optional(row?.state),
            "rows": .optional(row?.rows), "last_success_at": .optional(row?.lastSuccessAt),
            "interval": .string(HumanTime.written(declaration.interval)),
            "writes": .array(declaration.writes.map { .string($0) }),
        ]
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
