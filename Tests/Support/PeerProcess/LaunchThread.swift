import Foundation
import Synchronization

/// The thread that starts all programs.
///
/// It never ends, because the kernel considers the thread that started a program its parent, and would kill the program
/// when a thread of a pool ends. As the only one, it also keeps programs from inheriting each other's pipes.
struct LaunchThread: Sendable {
    private final class Queue: Sendable {
        // This is a class because the thread and its users share it.
        let jobs = Mutex<[@Sendable () -> Void]>([])
        let count = DispatchSemaphore(value: 0)
    }

    static let shared = LaunchThread()

    private let queue = Queue()

    private init() {
        Thread.detachNewThread { [queue] in
            while true {
                queue.count.wait()
                queue.jobs.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Runs a closure on the thread, and waits for its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        queue.jobs.withLock { jobs in
            jobs.append { outcome.set(Result { try body() }) }
        }
        queue.count.signal()
        return try outcome.wait().get()
    }
}

/// The result of a closure that runs on another thread.
private final class Outcome<Value: Sendable>: Sendable {
    // This is a class because both threads share it.
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isKnown = DispatchSemaphore(value: 0)

    func set(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        isKnown.signal()
    }

    /// Waits for the result. Only one thread can wait, once.
    func wait() -> Result<Value, any Error> {
        isKnown.wait()
        return result.withLock { $0 } ?? .failure(PeerProcessError("the launch thread gave no result"))
    }
}
