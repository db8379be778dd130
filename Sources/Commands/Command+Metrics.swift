internal import Rendering

extension Command {
    static let metrics = Command(
        "metrics", "Prints the state of the cache as metrics in Prometheus text format.",
        notes: [
            "For the textfile collector of the node exporter: write it to a file that ends in .prom,",
            "and move that into the collector's directory. docs/metrics.md describes each metric.",
        ], statuses: [.configuration, .closedPipe],
        examples: ["syncd metrics > syncd.prom.tmp && mv syncd.prom.tmp syncd.prom"]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let store = try composition.openForReading(place)
        let path = try composition.find(place)
        let status = try await CacheStatus.read(from: store, path: path, settings: place.settings)
        let metrics = CacheMetrics(
            status: status, databaseBytes: FileFacts.size(path),
            logBytes: FileFacts.size(path + "-wal"))
        try composition.console.write(metrics.text.bytes)
        return .ok
    }
}
