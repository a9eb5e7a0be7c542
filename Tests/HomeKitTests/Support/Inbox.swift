import Foundation
import Synchronization

/// A queue whose consumers wait for the next element.
final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting: [(id: UUID, continuation: CheckedContinuation<Element, any Error>)] = []
    }

    private let state = Mutex(State())

    func put(_ element: Element) {
        let waiting = state.withLock { state -> CheckedContinuation<Element, any Error>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.elements.append(element)
            return nil
        }
        waiting?.resume(returning: element)
    }

    /// Returns the next element as soon as it is available. Throws if the test is canceled, for example by its time
    /// limit.
    func next() async throws -> Element {
        let id = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Element, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.elements.isEmpty else { return .success(state.elements.removeFirst()) }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Element, any Error>? in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiting.remove(at: index).continuation
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Removes and returns the available elements.
    func drain() -> [Element] {
        state.withLock { state in
            defer { state.elements = [] }
            return state.elements
        }
    }
}
