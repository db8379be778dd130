import Dispatch
import FuzzTargets
import Glibc
import Host
import Synchronization

/// What libFuzzer calls for each input. Its function pointer can carry no context, so the target
/// stands in one place for the process.
enum FuzzLoop {
    private static let target = Mutex<FuzzTarget?>(nil)
    private static let executor = QueueExecutor(label: "fuzz")

    /// Hands the process over to libFuzzer, without the target's name among its arguments.
    static func start(on chosen: FuzzTarget) -> CInt {
        target.withLock { $0 = chosen }
        var arguments = CommandLine.arguments.map { strdup($0) }
        arguments.remove(at: 1)
        arguments.append(nil)
        var count = CInt(arguments.count - 1)
        return arguments.withUnsafeMutableBufferPointer { buffer in
            var words = buffer.baseAddress
            return runFuzzer(&count, &words) { data, size in
                FuzzLoop.feed(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            }
        }
    }

    /// Runs the target on one input and waits; a broken law ends the process, as libFuzzer wants.
    private static func feed(_ bytes: [UInt8]) {
        guard let target = target.withLock({ $0 }) else { return }
        let done = DispatchSemaphore(value: 0)
        Task(executorPreference: executor) {
            do {
                try await target.feed(bytes)
            } catch {
                fatalError("\(target.name): \(error)")
            }
            done.signal()
        }
        done.wait()
    }
}

/// libFuzzer's entry for programs with a `main` of their own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
