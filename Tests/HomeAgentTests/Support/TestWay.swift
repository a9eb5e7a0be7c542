import Foundation
import HomeHub
import HubAPI
import Synchronization

/// A way to a hub in this process that can be cut and mended, as a network can.
final class TestWay: Sendable {
    // This is a class because the agent's connections and the test share it.

    private struct State {
        var hub: HomeHub?
        var authority: SessionAuthority?
        var isCut = false
        var refusal: HubError?
        var isDeaf = false
        var open: [ObjectIdentifier: TestWayTransport] = [:]
        var opened = 0
        var openFeed: OpenFeed?
    }

    /// Answers a device that gives its keys for its feed, in the hub's place.
    typealias OpenFeed = @Sendable (FeedKeys) -> FeedStanding

    private let state = Mutex(State())
    /// The hub's public key in base64, with which it signs its feeds; `nil` if it has none.
    private let feedKey = Mutex<String?>(nil)
    var key: String? {
        get { feedKey.withLock { $0 } }
        set { feedKey.withLock { $0 = newValue } }
    }

    init(to hub: HomeHub, as user: UUID? = nil) {
        set(hub, as: user)
    }

    /// Leads the way to a hub, for instance after its restart.
    func set(_ hub: HomeHub, as user: UUID? = nil) {
        let authority = SessionAuthority(user: user ?? hub.owner.user, device: hub.owner.device, client: .person)
        state.withLock { state in
            state.hub = hub
            state.authority = authority
        }
    }

    /// Sets who answers a device that gives its keys for its feed; `nil` for the hub.
    func setOpenFeed(_ answer: OpenFeed?) { state.withLock { $0.openFeed = answer } }

    /// Sends the agent's own sessions an event, as the hub does.
    func send(_ event: HubEvent) {
        for transport in state.withLock({ Array($0.open.values) }) { transport.deliver(event) }
    }

    fileprivate var openFeed: OpenFeed? { state.withLock { $0.openFeed } }

    /// The number of connections that were opened so far.
    var opened: Int { state.withLock { $0.opened } }

    /// Ends all connections and lets no new ones through.
    func cut() {
        let open = state.withLock { state in
            state.isCut = true
            return Array(state.open.values)
        }
        for transport in open { transport.lose() }
    }

    /// Ends all connections, and answers new ones with an error, as a hub does that has removed the device.
    func refuse(_ error: HubError) {
        state.withLock { $0.refusal = error }
        cut()
    }

    /// Lets connections through again.
    func mend() {
        state.withLock { state in
            state.isCut = false
            state.refusal = nil
        }
    }

    func transport() -> any HubTransport { TestWayTransport(self) }

    fileprivate func add(_ transport: TestWayTransport) -> Result<InProcessTransport, HubError> {
        state.withLock { state in
            if let refusal = state.refusal { return .failure(refusal) }
            guard !state.isCut, let hub = state.hub, let authority = state.authority else {
                return .failure(HubError(.noHub, "The way to the hub is cut."))
            }
            state.opened += 1
            state.open[ObjectIdentifier(transport)] = transport
            return .success(InProcessTransport(to: hub, as: authority))
        }
    }

    fileprivate func remove(_ transport: TestWayTransport) {
        _ = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(transport)) }
    }
}

private final class TestWayTransport: RPCTransport {
    // This is a class because a connection has an identity.

    private struct State {
        var inner: InProcessTransport?
        var receive: (@Sendable (HubMessage) -> Void)?
        var isOver = false
    }

    private let way: TestWay
    private let state = Mutex(State())

    init(_ way: TestWay) {
        self.way = way
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        switch way.add(self) {
        case .failure(let error):
            receive(.closed(error))
        case .success(let inner):
            state.withLock { state in
                state.inner = inner
                state.receive = receive
            }
            inner.open { [weak self] message in self?.received(message) }
        }
    }

    private func received(_ message: HubMessage) {
        let receive = state.withLock { state -> (@Sendable (HubMessage) -> Void)? in
            guard !state.isOver else { return nil }
            if case .closed = message { state.isOver = true }
            return state.receive
        }
        if case .closed = message { way.remove(self) }
        receive?(message)
    }

    fileprivate func deliver(_ event: HubEvent) { received(.event(event)) }

    func send(_ request: HubRequest) {
        if request.method == HubMethods.openFeed.name, let answer = way.openFeed,
            let keys = try? JSONDecoder().decode(FeedKeys.self, from: request.parameters)
        {
            let result = Result { try JSONEncoder().encode(answer(keys)) }.mapError { HubError(.hubFailure, "\($0)") }
            return received(.reply(id: request.id, HubReply(result)))
        }
        state.withLock { $0.isOver ? nil : $0.inner }?.send(request)
    }

    func close() {
        state.withLock { $0.inner }?.close()
    }

    /// Loses the connection: what is on its way doesn't arrive.
    func lose() {
        let (inner, receive) = state.withLock { state in
            defer { state.isOver = true }
            return (state.inner, state.isOver ? nil : state.receive)
        }
        way.remove(self)
        receive?(.closed(HubError(.connectionLost, "The way to the hub is cut.")))
        inner?.close()
    }
}
