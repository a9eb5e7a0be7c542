package import NIOCore

/// An executor that runs tasks on an event loop.
///
/// A task that a connection starts and that doesn't block runs on it without a change of threads.
package final class EventLoopExecutor: TaskExecutor {
    // This is a class because executors are.

    private let eventLoop: any EventLoop

    /// Creates an executor of an event loop.
    package init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
