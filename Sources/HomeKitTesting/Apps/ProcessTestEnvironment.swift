import Foundation
import HomeHub
import HomeKit
import Synchronization

/// The process-wide environment in which managers find the current test home. The environment stays; hubs come and go.
final class ProcessTestEnvironment: Sendable {
    // This is a class because there is one per process.

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var hasWarned = false
    }

    static let shared = ProcessTestEnvironment()

    /// Whether the environment is held by the home of the test that this task belongs to.
    @TaskLocal static var isHeldByTask = false

    private let state = Mutex(State())

    /// The connector to the hub of the current home.
    let connector: HubConnector
    /// The environment of managers created outside of a test home's task.
    let environment: HomeKitEnvironment

    private init() {
        let connector = HubConnector { ProcessTestEnvironment.shared.warn() }
        self.connector = connector
        environment = HomeKitEnvironment(
            app: TestApp.defaultName,
            purpose: "To test an app.",
            retry: connector.retry,
            log: { _ in },
            transport: { connector.transport(for: TestApp.defaultName, of: nil) }
        )
    }

    /// Installs the environment for the process's managers. Managers created from now on outside of a test home's task
    /// wait for a home of scope `.process`. They never connect to the machine's own hub, whose home isn't for tests.
    func install() {
        HomeKitEnvironment.standIn = environment
    }

    /// Warns, once, that a manager finds no home.
    private func warn() {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        guard isFirst else { return }
        let message = """
            HomeKitTesting: A manager or browser was created outside of a test home's own task, as in a static store or a \
            detached task, while there was no home of scope .process. It waits for the next one with that scope. \
            See “An app with a static store” in Documentation/Testing.md.

            """
        FileHandle.standardError.write(Data(message.utf8))
    }

    /// Waits until the environment is free and acquires it.
    func acquire() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Releases the environment to the next waiting test.
    func release() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
