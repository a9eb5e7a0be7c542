import Dispatch
import HAPCatalog
import PeerProcess
import Testing

@testable import HomeHub

/// The executor that a program hands to its hub.
struct HubExecutorTests {
    /// An executor whose thread code can recognize.
    private final class QueueExecutor: TaskExecutor {
        private let queue = DispatchQueue(label: "test.hub")
        private let key = DispatchSpecificKey<Bool>()

        init() { queue.setSpecific(key: key, value: true) }

        /// Whether the calling code runs on the executor.
        var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func whatAccessoriesReportIsPassedOnByIt() async throws {
        let executor = QueueExecutor()
        try await AutomationHome.with(executor: executor) { home in
            let places = AwaitableValue<[Bool]>([])
            home.hub.activities.subscribe { activity in
                if case .values = activity { places.change { $0.append(executor.isCurrent) } }
            }
            // A thread of another task of the actor may carry a value, if they meet.
            for round in 1...10 where !places.value.contains(true) {
                try await home.set(1, "On", .bool(round % 2 == 1))
                try await places.until { $0.count >= round }
            }
            #expect(places.value.contains(true))
        }
    }
}
