import Foundation
import HubAPI
import Synchronization

/// The times of a device's requests to one hub, which all of its connections share.
final class HubTimes: Sendable {
    // This is a class because all connections to a hub share it.

    private let times = Mutex(RequestTimes())

    /// Takes a reading of the hub's clock that has just come.
    func read(_ clock: Int64) {
        let now = RunningClock.now
        times.withLock { $0.read(clock, at: now) }
    }

    /// Returns a request with its time.
    func stamp(_ request: HubRequest, _ way: Way) -> HubRequest {
        let now = RunningClock.now
        return times.withLock { $0.stamp(request, way, at: now) }
    }
}

/// A transport whose requests have a time until which the hub may carry them out, if they go through a relay.
final class TimedTransport: HubTransport {
    // This is a class because it is one connection.

    private struct State {
        /// The request whose reply has the hub's clock, until it comes.
        var hello: Int?
        var isWelcome = false
        /// What is sent once the clock is known.
        var waiting: [HubRequest] = []
    }

    private let inner: any HubTransport
    private let times: HubTimes
    private let way: @Sendable () -> Way
    private let state = Mutex(State())

    /// Creates a transport.
    ///
    /// - Parameter way: A closure that returns the way of the connection, once it is open.
    init(_ inner: any HubTransport, _ times: HubTimes, way: @escaping @Sendable () -> Way) {
        self.inner = inner
        self.times = times
        self.way = way
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        inner.open { [self] message in
            var waiting: [HubRequest] = []
            if case .reply(let id, let reply) = message {
                waiting = state.withLock { state in
                    guard state.hello == id else { return [] }
                    state.hello = nil
                    state.isWelcome = true
                    if case .success(let body) = reply.result,
                        let clock = (try? MessageJSON.decode(Welcome.self, from: body))?.clock
                    {
                        times.read(clock)
                    }
                    defer { state.waiting = [] }
                    return state.waiting
                }
            }
            receive(message)
            for request in waiting { inner.send(times.stamp(request, way())) }
        }
    }

    func send(_ request: HubRequest) {
        let isSent = state.withLock { state in
            if request.method == HubMethods.hello.name {
                state.hello = request.id
                return true
            }
            if !state.isWelcome { state.waiting.append(request) }
            return state.isWelcome
        }
        guard isSent else { return }
        inner.send(request.method == HubMethods.hello.name ? request : times.stamp(request, way()))
    }

    func close() { inner.close() }
}
