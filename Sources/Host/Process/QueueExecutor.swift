@preconcurrency public import Dispatch

/// Runs Swift tasks and an actor's jobs on one serial Dispatch queue.
///
/// A program whose tasks all run here starts no worker of the global executor, which on Linux would
/// wake the process once a second for the rest of its life (measured with Swift 6.3.1).
public final class QueueExecutor: TaskExecutor, SerialExecutor {
    /// The queue; event sources that must not run beside the tasks are made on it.
    public let queue: DispatchQueue

    /// An executor on a new serial queue named `label`.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// An executor on a new serial queue named `label` whose jobs take turns with those of `other`:
    /// one thread carries both. With two independent queues, libdispatch starts a thread for nearly
    /// each hand-over (measured: 18 at a first pull).
    public init(label: String, takingTurnsWith other: QueueExecutor) {
        queue = DispatchQueue(label: label, target: other.queue)
    }

    /// Runs `job` after the jobs before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async {
            unowned.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    /// This executor as an actor's.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
