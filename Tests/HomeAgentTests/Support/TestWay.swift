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
        var isHolding = false
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

    /// Has the hub tell the next connections everything from the beginning, and holds back what it tells them.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Waits until a connection holds back what the hub has told from the beginning.
    func untilResetIsHeld() async throws {
        for _ in 0..<6_000 {
            if state.withLock({ Array($0.open.values) }).contains(where: \.holdsReset) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw HubError(.timedOut, "The hub told nothing.")
    }

    /// Ends holding back. Delivers what was held back, up to what the hub told from the beginning or all of it.
    func release(upToReset: Bool = false) {
        let open = state.withLock { state in
            state.isHolding = false
            return Array(state.open.values)
        }
        for transport in open { transport.release(upToReset: upToReset) }
    }

    fileprivate var isHolding: Bool { state.withLock { $0.isHolding } }

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

    /// Lets no new connections through. Those that are open stay.
    func block() { state.withLock { $0.isCut = true } }

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
        /// What is held back; `nil` if nothing is.
        var held: [HubMessage]?
        /// Whether the device ended the connection while messages were held back. The network is as slow then.
        var closesLater = false
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
                state.held = way.isHolding ? [] : nil
            }
            inner.open { [weak self] message in self?.received(message) }
        }
    }

    private func received(_ message: HubMessage) {
        let receive = state.withLock { state -> (@Sendable (HubMessage) -> Void)? in
            guard !state.isOver else { return nil }
            if state.held?.append(message) != nil { return nil }
            if case .closed = message { state.isOver = true }
            return state.receive
        }
        if case .closed = message { way.remove(self) }
        receive?(message)
    }

    fileprivate func deliver(_ event: HubEvent) { received(.event(event)) }

    fileprivate var holdsReset: Bool { state.withLock { $0.held?.contains(where: \.isReset) == true } }

    fileprivate func release(upToReset: Bool) {
        let (held, closes) = state.withLock { ($0.held.take() ?? [], $0.closesLater) }
        let end = upToReset ? held.firstIndex(where: \.isReset).map { $0 + 1 } ?? 0 : held.count
        for message in held.prefix(end) { received(message) }
        if closes { close() }
    }

    func send(_ request: HubRequest) {
        var request = request
        if request.method == HubMethods.hello.name, state.withLock({ $0.held != nil }),
            var hello = try? JSONDecoder().decode(Hello.self, from: request.parameters)
        {
            hello.seen = nil
            request.parameters = (try? JSONEncoder().encode(hello)) ?? request.parameters
        }
        if request.method == HubMethods.openFeed.name, let answer = way.openFeed,
            let keys = try? JSONDecoder().decode(FeedKeys.self, from: request.parameters)
        {
            let result = Result { try JSONEncoder().encode(answer(keys)) }.mapError { HubError(.hubFailure, "\($0)") }
            return received(.reply(id: request.id, HubReply(result)))
        }
        state.withLock { $0.isOver ? nil : $0.inner }?.send(request)
    }

    func close() {
        let inner = state.withLock { state in
            state.closesLater = state.held != nil
            return state.closesLater ? nil : state.inner
        }
        inner?.close()
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

extension HubMessage {
    fileprivate var isReset: Bool {
        if case .event(.reset) = self { true } else { false }
    }
}
