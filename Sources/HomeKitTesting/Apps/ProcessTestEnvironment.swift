import Foundation
import HomeHub
import HomeKit
import Synchronization

/// Where the managers of a process find the test home that plays at the moment: an environment that stays, with hubs that
/// come and go.
final class ProcessTestEnvironment: Sendable {
    // A class, because there is one in a process.

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var hasWarned = false
    }

    static let shared = ProcessTestEnvironment()

    /// Whether the stage is taken by a home in whose test this task is.
    @TaskLocal static var isOurs = false

    private let state = Mutex(State())

    /// The way to the hub of the home that plays.
    let door: HubConnector
    /// What managers on the stage are made in.
    let environment: HomeKitEnvironment

    private init() {
        let door = HubConnector { ProcessTestEnvironment.shared.warn() }
        self.door = door
        environment = HomeKitEnvironment(
            app: TestApp.usualName,
            purpose: "To test an app.",
            retry: door.retry,
            log: { _ in },
            transport: { door.transport(for: TestApp.usualName, of: nil) }
        )
    }

    /// Puts the process's managers on the stage: those that are made from now on outside of a test home's own task wait for
    /// a home of scope `.process`, and never look for the hub of the machine, whose home is not for tests.
    func install() {
        HomeKitEnvironment.standIn = environment
    }

    /// Says, once, what it means that a manager finds no home here.
    private func warn() {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        guard isFirst else { return }
        let words = """
            HomeKitTesting: A manager or browser was made outside of a test home's own task, as in a static store or a \
            detached task, while no home of scope .process was there. It waits for the next one of that scope. \
            See “An app with a static store” in Documentation/Testing.md.

            """
        FileHandle.standardError.write(Data(words.utf8))
    }

    /// Waits until the stage is free and takes it.
    func enter() async {
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

    /// Leaves the stage to the next.
    func leave() {
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
