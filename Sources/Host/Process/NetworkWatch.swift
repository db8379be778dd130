internal import CLinux
@preconcurrency public import Dispatch
internal import Glibc

/// Tells when an address or a route appears on the machine.
///
/// What disappears wakes the process too, but is not told. Source: rtnetlink(7).
public final class NetworkWatch: Sendable {
    private let source: DescriptorSource

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - queue: Where `handler` runs.
    ///   - handler: Called after each burst of events in which something appeared. It says nothing of
    ///     whether a server can be reached: an address is told before it can be used.
    /// - Throws: ``SystemError``: the kernel or a sandbox gives no such socket.
    public init(
        on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let opened = syncd_listen_to_routes()
        guard opened >= 0 else { throw .last("socket") }
        source = DescriptorSource(owning: opened, on: queue) {
            if syncd_read_arrivals(opened) != 0 { handler() }
        }
    }

    /// Ends it; the handler is not called any more, but for a call that may be running.
    public func cancel() { source.cancel() }
}
