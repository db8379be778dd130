internal import CommandLine
internal import Host
internal import Rendering
internal import Store

extension Command {
    static let metrics = Command(
        "metrics", "Prints the state of the cache as metrics for Prometheus.",
        notes: [
            "For the textfile collector of the node exporter: write the output to a file, and move",
            "that into the collector's directory under a name that ends in .prom. docs/metrics.md",
            "describes each metric.",
        ], statuses: [.configuration, .closedPipe],
        examples: ["syncd metrics > syncd.prom.tmp && mv syncd.prom.tmp syncd.prom"]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let store = try composition.openForReading(place)
        let metrics = try await CommandError.awaiting(
            CommandError.store, try await store.metrics(now: composition.time.bootTime()))
        let holder = try CommandError.trying(
            CommandError.file, try InstanceLock.holder(ofCacheAt: store.path))
        let report = MetricsReport(
            metrics: metrics,
            lists: metrics.lists.filter { place.settings?.keeps($0.list) ?? true },
            isDaemonRunning: holder?.role == .daemon)
        try composition.console.write(report.text.bytes)
        return .ok
    }
}
