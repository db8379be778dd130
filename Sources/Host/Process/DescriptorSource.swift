internal import CLinux
@preconcurrency internal import Dispatch
internal import Glibc

/// Calls a handler on a queue whenever a descriptor can be read, and closes it at the end.
///
/// The descriptor belongs to the Dispatch source: it is closed in the source's cancel handler, when
/// Dispatch no longer looks at it. The handlers are made here, in nonisolated code.
final class DescriptorSource: Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    init(
        owning descriptor: Int32, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: DispatchWorkItem { handler() })
        source.setCancelHandler(handler: DispatchWorkItem { close(descriptor) })
        source.activate()
    }

    deinit { source.cancel() }

    /// Ends it: no handler starts after the one that may be running.
    func cancel() { source.cancel() }
}

/// Reads what is there now, up to 4096 bytes; nothing is no error.
func readAvailable(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = retryingInterrupts {
        bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    }
    return count > 0 ? Array(bytes[..<count]) : []
}
