import Foundation
import HomeIdentity
import RelayAPI
import Synchronization

/// A feed of a house.
struct FeedPlace: Hashable, Sendable {
    var house: HouseID
    var feed: FeedID
}

/// The requests that wait for a feed to change.
final class FeedWaiters: Sendable {
    // This is a class because requests and appends share it.

    /// One request. It notices changes from its creation on, so none falls between reading and waiting.
    final class Waiter: Sendable {
        // This is a class because it has an identity.

        private enum State {
            case idle
            case waiting(CheckedContinuation<Void, Never>)
            case woken
        }

        fileprivate let id = UUID()
        private let state = Mutex(State.idle)

        /// Waits until the feed changes, or a time has passed.
        func wait(for time: Duration, on clock: any Clock<Duration>) async {
            let timer = Task {
                if (try? await clock.sleep(for: time)) != nil { wake() }
            }
            defer { timer.cancel() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isWoken = state.withLock { state in
                        if case .woken = state { return true }
                        state = .waiting(continuation)
                        return false
                    }
                    if isWoken { continuation.resume() }
                }
            } onCancel: {
                wake()
            }
        }

        fileprivate func wake() {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                defer { state = .woken }
                guard case .waiting(let continuation) = state else { return nil }
                return continuation
            }
            continuation?.resume()
        }
    }

    private struct State {
        var waiters: [FeedPlace: [UUID: Waiter]] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())

    /// The number of requests.
    var count: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }
    /// Whether no request waits any more, because the relay stops.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Adds a request. ``remove(_:from:)`` must follow.
    func add(to place: FeedPlace) -> Waiter {
        let waiter = Waiter()
        let isStopped = state.withLock { state in
            state.waiters[place, default: [:]][waiter.id] = waiter
            return state.isStopped
        }
        if isStopped { waiter.wake() }
        return waiter
    }

    /// Removes a request.
    func remove(_ waiter: Waiter, from place: FeedPlace) {
        state.withLock { state in
            state.waiters[place]?[waiter.id] = nil
            if state.waiters[place]?.isEmpty == true { state.waiters[place] = nil }
        }
    }

    /// Wakes the requests for a feed.
    func wake(_ place: FeedPlace) {
        let waiters = state.withLock { Array(($0.waiters[place] ?? [:]).values) }
        for waiter in waiters { waiter.wake() }
    }

    /// Wakes all requests for good.
    func stop() {
        let waiters = state.withLock { state in
            state.isStopped = true
            return state.waiters.values.flatMap { Array($0.values) }
        }
        for waiter in waiters { waiter.wake() }
    }
}
