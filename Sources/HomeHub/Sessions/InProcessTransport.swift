import Dispatch
import HomeModel
package import HubAPI
import Synchronization

/// The way to a hub in the same process: the same messages as on a socket, without the socket.
///
/// A client that does not take what it is sent fares as on a socket: it gets a reset in place of events, or is let go of.
package final class InProcessTransport: RPCTransport {
    // A class, because a connection has an identity.

    private struct State {
        var session: HubSession?
        var backlog: Backlog
        /// The bytes that the client has not taken.
        var unread = 0
        /// Whether the client was let go of; only its end is told any more.
        var isLetGo = false
    }

    private let hub: HomeHub
    private let authority: SessionAuthority
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "hearth.in-process-transport")

    /// Makes a way to the hub.
    ///
    /// - Parameter authority: Whose client it is, and what it can do.
    package convenience init(to hub: HomeHub, as authority: SessionAuthority) {
        self.init(to: hub, as: authority, limits: Backlog.Limits())
    }

    /// Makes a way to the hub with other limits of what the client may leave unread.
    package init(to hub: HomeHub, as authority: SessionAuthority, limits: Backlog.Limits) {
        self.hub = hub
        self.authority = authority
        state = Mutex(State(backlog: Backlog(limits: limits)))
    }

    /// Opens a session on the hub. `receive` runs on a queue of the transport's own.
    package func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        let opened = hub.accept(as: authority) { message in
            guard self.admit(message) else { return }
            // Handed over, so that a handler may call back into the transport.
            self.queue.async {
                receive(message)
                self.noteRead(message)
            }
        }
        state.withLock { $0.session = opened }
    }

    /// Hands a request to the hub.
    package func send(_ request: HubRequest) {
        session?.receive(request)
    }

    /// Ends the session.
    package func close() {
        session?.close()
    }

    /// Whether the client was let go of, for it did not take what it was sent.
    var isLetGo: Bool { state.withLock { $0.isLetGo } }

    private var session: HubSession? { state.withLock { $0.session } }

    /// Whether a message is handed over.
    private func admit(_ message: HubMessage) -> Bool {
        let (isAdmitted, isLetGo, fallen) = state.withLock { state -> (Bool, Bool, HubSession?) in
            if case .closed = message { return (true, false, nil) }
            guard !state.isLetGo else { return (false, false, nil) }
            guard state.backlog.allows(unread: state.unread) else {
                state.isLetGo = true
                return (false, true, nil)
            }
            let isReset = if case .event(.reset) = message { true } else { false }
            state.unread += message.cost
            let isFallen = state.backlog.sent(bytes: message.cost, isReset: isReset, unread: state.unread)
            return (true, false, isFallen ? state.session : nil)
        }
        fallen?.fallBehind()
        if isLetGo {
            // Later, for the session is in the middle of telling something.
            DispatchQueue.global().async {
                self.session?.close(HubError(.connectionLost, "The client does not read what it is sent."))
            }
        }
        return isAdmitted
    }

    private func noteRead(_ message: HubMessage) {
        let caughtUp = state.withLock { state -> HubSession? in
            if case .closed = message { return nil }
            state.unread -= message.cost
            return state.unread == 0 && state.backlog.drained() ? state.session : nil
        }
        caughtUp?.catchUp()
    }
}

extension HubMessage {
    /// What a message takes while it waits, in bytes: of a reply what it holds, of an event about as much as its items do.
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
    /// How many things an event tells of.
    fileprivate var items: Int {
        switch self {
        case .reset(let snapshot):
            snapshot.homes.values.reduce(snapshot.account.records.count) { $0 + $1.records.count }
        case .resumed(let present): present.reachability.count
        case .change(let change): change.change.effects.count
        case .reachability(let updates): updates.count
        case .asked(let question): question.fields.reduce(1) { $0 + 1 + $1.choices.count }
        case .values, .homeGone, .discovered, .discoveryLost, .questionClosed: 1
        }
    }
}
