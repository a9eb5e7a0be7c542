import Foundation
import HubAPI
import Synchronization

/// The times of a device's requests to the hubs of one house, which all connections to them share.
final class HubTimes: Sendable {
    // This is a class because all connections share it.

    private let times = Mutex(RequestTimes())

    /// Returns a request with its time.
    ///
    /// - Parameter offset: The clock of the connection's hub less the device's.
    func stamp(_ request: HubRequest, _ way: Way, offset: Int64?) -> HubRequest {
        let now = RunningClock.now
        return times.withLock { $0.stamp(request, way, offset: offset, at: now) }
    }
}

/// A transport whose requests have a time until which the hub may carry them out, if they go through a relay.
final class TimedTransport: HubTransport {
    // This is a class because it is one connection.

    private struct State {
        /// The request whose reply has the hub's clock, until it comes.
        var hello: Int?
        var isWelcome = false
        /// The hub's clock less the device's. It is counted from the arrival of the hub's reading, so somebody on the way who
        /// delays it makes the times only shorter.
        var offset: Int64?
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
            var (waiting, offset) = ([HubRequest](), Int64?.none)
            if case .reply(let id, let reply) = message {
                (waiting, offset) = state.withLock { state in
                    guard state.hello == id else { return ([], nil) }
                    state.hello = nil
                    state.isWelcome = true
                    if case .success(let body) = reply.result,
                        let clock = (try? MessageJSON.decode(Welcome.self, from: body))?.clock
                    {
                        state.offset = clock - RunningClock.now
                    }
                    defer { state.waiting = [] }
                    return (state.waiting, state.offset)
                }
            }
            receive(message)
            for request in waiting { inner.send(times.stamp(request, way(), offset: offset)) }
        }
    }

    func send(_ request: HubRequest) {
        let (isSent, offset) = state.withLock { state in
            if request.method == HubMethods.hello.name {
                state.hello = request.id
                return (true, state.offset)
            }
            if !state.isWelcome { state.waiting.append(request) }
            return (state.isWelcome, state.offset)
        }
        guard isSent else { return }
        inner.send(request.method == HubMethods.hello.name ? request : times.stamp(request, way(), offset: offset))
    }

    func close() { inner.close() }
}
