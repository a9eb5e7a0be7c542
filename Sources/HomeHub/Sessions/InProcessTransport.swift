import Dispatch
import HomeModel
package import HubAPI
import Synchronization

/// A connection to a hub in the same process, with the same messages as on a socket.
///
/// A client that doesn't read its messages is treated as on a socket: it receives a reset in place of events, or is
/// disconnected.
package final class InProcessTransport: RPCTransport {
    // This is a class because a connection has an identity.

    private struct State {
        var session: HubSession?
        var backlog: Backlog
        /// The number of bytes that the client hasn't handled yet.
        var unread = 0
        /// Whether the client was disconnected. It then receives only `closed`.
        var isDisconnected = false
    }

    private let hub: HomeHub
    private let authority: SessionAuthority
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "hearth.in-process-transport")

    /// Creates a connection to a hub.
    ///
    /// - Parameter authority: The user and the permissions of the connection.
    package convenience init(to hub: HomeHub, as authority: SessionAuthority) {
        self.init(to: hub, as: authority, limits: Backlog.Limits())
    }

    /// Creates a connection with other limits on unread messages.
    package init(to hub: HomeHub, as authority: SessionAuthority, limits: Backlog.Limits) {
        self.hub = hub
        self.authority = authority
        state = Mutex(State(backlog: Backlog(limits: limits)))
    }

    /// Opens a session on the hub. `receive` is called on the transport's own queue.
    package func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        let opened = hub.accept(as: authority) { message in
            guard self.shouldDeliver(message) else { return }
            // Calling it on the queue lets a handler call back into the transport.
            self.queue.async {
                receive(message)
                self.recordRead(message)
            }
        }
        state.withLock { $0.session = opened }
    }

    /// Sends a request to the hub.
    package func send(_ request: HubRequest) {
        session?.receive(request)
    }

    /// Closes the session.
    package func close() {
        session?.close()
    }

    /// Whether the client was disconnected because it didn't read its messages.
    var isDisconnected: Bool { state.withLock { $0.isDisconnected } }

    private var session: HubSession? { state.withLock { $0.session } }

    /// Returns whether to pass a message to the client.
    private func shouldDeliver(_ message: HubMessage) -> Bool {
        let (isDelivered, isDisconnected, slow) = state.withLock { state -> (Bool, Bool, HubSession?) in
            if case .closed = message { return (true, false, nil) }
            guard !state.isDisconnected else { return (false, false, nil) }
            guard state.backlog.allows(unread: state.unread) else {
                state.isDisconnected = true
                return (false, true, nil)
            }
            let isReset = if case .event(.reset) = message { true } else { false }
            state.unread += message.cost
            let isBehind = state.backlog.sent(bytes: message.cost, isReset: isReset, unread: state.unread)
            return (true, false, isBehind ? state.session : nil)
        }
        slow?.pauseEvents()
        if isDisconnected {
            // Closing is deferred, because the session is in the middle of sending a message.
            DispatchQueue.global().async {
                self.session?.close(HubError(.connectionLost, "The client does not read its messages."))
            }
        }
        return isDelivered
    }

    private func recordRead(_ message: HubMessage) {
        let resumed = state.withLock { state -> HubSession? in
            if case .closed = message { return nil }
            state.unread -= message.cost
            return state.unread == 0 && state.backlog.drained() ? state.session : nil
        }
        resumed?.resumeEvents()
    }
}

extension HubMessage {
    /// The size of a message while it waits, in bytes: exact for a reply, approximate for an event.
    fileprivate var cost: Int {
        let overhead = 128
        return switch self {
        case .reply(_, let reply): overhead + reply.size
        case .event(.values(let values)): overhead + values.count * 96
        case .event(let event): overhead + event.items * 256
        case .closed: 0
        }
    }
}

extension HubEvent {
    /// The number of items in an event.
    fileprivate var items: Int {
        switch self {
        case .reset(let snapshot):
            snapshot.homes.values.reduce(snapshot.account.records.count) { $0 + $1.records.count }
        case .resumed(let present): present.reachability.count
        case .change(let change): change.change.effects.count
        case .reachability(let updates): updates.count
        case .runs(let updates): updates.count
        case .asked(let question): question.fields.reduce(1) { $0 + 1 + $1.choices.count }
        case .values, .homeGone, .discovered, .discoveryLost, .unconfigured, .unconfiguredLost, .questionClosed: 1
        case .journal, .setupProgress, .standing, .deviceMessage, .feed: 1
        case .media(let state): state.players.count + (state.receivers?.count ?? 0)
        }
    }
}
