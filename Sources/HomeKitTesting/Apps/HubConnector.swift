import Dispatch
import Foundation
import HomeHub
import HomeKit
import HubAPI
import HubClient
import Synchronization

/// A connector to the current hub that outlives individual hubs. A new connection goes to the current hub; a connection
/// that loses its hub waits here for the next one.
final class HubConnector: Sendable {
    // This is a class because the apps of a home and the home itself share it.

    private struct Client {
        var app: String
        var transport: ConnectorTransport
        /// Whether it has received all of the hub's homes.
        var isInformed = false
    }

    /// The connections' place, by which the hub knows the device that they come from.
    enum Place: Hashable, Sendable {
        /// The hub's own machine.
        case hub
        /// Another device, with its ID.
        case device(UUID)
    }

    private struct State {
        var hub: HomeHub?
        /// Whether there has ever been a hub.
        var hasHadHub = false
        /// Whether the connector is permanently closed.
        var isPermanentlyClosed = false
        /// The connection attempts to run when there is a hub.
        var waiting: [@Sendable () -> Void] = []
        /// The number of immediate retries that have not run yet.
        var immediateRetries = 0
        /// The open connections.
        var clients: [Int: Client] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    /// The connections' place.
    private let place: Place
    /// A closure that is called if a client connects before there was any hub.
    private let onAbsence: @Sendable () -> Void

    /// Creates a connector without a hub.
    ///
    /// - Parameters:
    ///   - place: The place that connections come from.
    ///   - onAbsence: A closure that is called if a client connects before there was any hub.
    init(from place: Place = .hub, onAbsence: @escaping @Sendable () -> Void = {}) {
        self.place = place
        self.onAbsence = onAbsence
    }

    /// The current hub.
    var hub: HomeHub? { state.withLock { $0.hub } }

    /// The names of the connected apps, one per connection.
    var apps: [String] { state.withLock { $0.clients.values.map(\.app).sorted() } }

    /// Whether all connected clients have received the hub's homes.
    var isSettled: Bool {
        state.withLock { $0.clients.values.allSatisfy(\.isInformed) }
    }

    // MARK: Hubs

    /// Sets the hub. Waiting clients connect immediately.
    func open(to hub: HomeHub) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.hub = hub
            state.hasHadHub = true
            return state.waiting
        }
        for work in waiting { work() }
    }

    /// Removes the hub. New clients wait for the next one. Connected clients stay connected until the hub stops, or
    /// until ``disconnectAll()``.
    ///
    /// - Returns: The removed hub, if any.
    @discardableResult
    func close() -> HomeHub? {
        state.withLock { $0.hub.take() }
    }

    /// Closes the connections that the hub has left open, and waits until all have ended and their clients have noticed
    /// that there is no hub.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    func disconnectAll() async throws {
        for transport in state.withLock({ $0.clients.values.map(\.transport) }) { transport.disconnect() }
        try await ConditionPoller(limit: TestHome.waitLimit).wait {
            state.withLock { $0.clients.isEmpty && $0.immediateRetries == 0 }
        } otherwise: {
            WaitTimeoutError(
                "all apps are disconnected",
                TestHome.waitLimit,
                #fileID,
                #line,
                state: "Still connected: \(apps)"
            )
        }
    }

    /// Waits until ``isSettled``.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    func waitUntilSettled() async throws {
        try await ConditionPoller(limit: TestHome.waitLimit).wait {
            isSettled
        } otherwise: {
            WaitTimeoutError(
                "all apps have received the hub's homes",
                TestHome.waitLimit,
                #fileID,
                #line,
                state: "Connected: \(apps)"
            )
        }
    }

    /// Closes the connector permanently.
    func closePermanently() {
        state.withLock { state in
            state.isPermanentlyClosed = true
            state.hub = nil
            state.waiting = []
        }
    }

    // MARK: Apps

    /// The retry policy of apps. The first retry is immediate; it fails if there is no hub, so that the app notices.
    /// Later retries wait for a hub or, if there is one that rejects the app, for the standard delay.
    var retry: RetryPolicy {
        RetryPolicy(delay: { $0 == 0 ? .zero : RetryPolicy.standard.delay($0) }) { [weak self] delay, work in
            if delay == .zero {
                self?.retryNow(work) ?? RetryPolicy.standard.wait(delay, work)
            } else {
                self?.wait(delay, work)
            }
        }
    }

    private func retryNow(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.immediateRetries += 1 }
        RetryPolicy.standard.wait(.zero) { [weak self] in
            work()
            self?.state.withLock { $0.immediateRetries -= 1 }
        }
    }

    private func wait(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let hasHub = state.withLock { state in
            guard state.hub == nil else { return true }
            if !state.isPermanentlyClosed { state.waiting.append(work) }
            return false
        }
        guard hasHub else { return }
        RetryPolicy.standard.wait(delay) { [weak self] in self?.wait(work) }
    }

    private func wait(_ work: @escaping @Sendable () -> Void) {
        let hasHub = state.withLock { state in
            if state.hub == nil, !state.isPermanentlyClosed { state.waiting.append(work) }
            return state.hub != nil
        }
        if hasHub { work() }
    }

    /// Creates a transport to the hub for an app.
    ///
    /// - Parameters:
    ///   - app: The app's name.
    ///   - user: The app's user, or `nil` for the hub's own user, who isn't known until there is a hub.
    /// - Returns: A transport whose authority is that of the user at the connector's place.
    func transport(for app: String, of user: UUID?) -> any HubTransport {
        ConnectorTransport(self, app: app, user: user)
    }

    /// Adds a connection.
    ///
    /// - Returns: Its number and the hub, or `nil` if there is no hub.
    fileprivate func connect(_ transport: ConnectorTransport, _ app: String) -> (number: Int, hub: HomeHub)? {
        let (entry, isFirst) = state.withLock { state -> ((Int, HomeHub)?, Bool) in
            guard let hub = state.hub else { return (nil, !state.hasHadHub) }
            state.last += 1
            state.clients[state.last] = Client(app: app, transport: transport)
            return ((state.last, hub), false)
        }
        if isFirst { onAbsence() }
        return entry
    }

    /// Returns the authority of the connections of a user.
    fileprivate func authority(of user: UUID?, at hub: HomeHub) -> SessionAuthority {
        let user = user ?? hub.owner.user
        return switch place {
        case .hub: SessionAuthority(user: user, device: hub.owner.device, client: .person)
        case .device(let device): SessionAuthority(user: user, device: device, client: .device)
        }
    }

    /// Records that a connection received the full state.
    fileprivate func didReceiveState(_ number: Int) {
        // Wait until the app has processed the state and its delegates were called.
        DispatchQueue.main.async { [weak self] in
            self?.state.withLock { $0.clients[number]?.isInformed = true }
        }
    }

    fileprivate func disconnect(_ number: Int) {
        _ = state.withLock { $0.clients.removeValue(forKey: number) }
    }
}

/// A transport to the connector's hub at the time when it is opened.
private final class ConnectorTransport: RPCTransport {
    // This is a class because a connection has an identity.

    private let connector: HubConnector
    private let app: String
    private let user: UUID?
    private let inner = Mutex<(number: Int, transport: InProcessTransport)?>(nil)

    init(_ connector: HubConnector, app: String, user: UUID?) {
        self.connector = connector
        self.app = app
        self.user = user
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        guard let (number, hub) = connector.connect(self, app) else {
            receive(.closed(HubError(.noHub, "No hub is running.")))
            return
        }
        let transport = InProcessTransport(to: hub, as: connector.authority(of: user, at: hub))
        inner.withLock { $0 = (number, transport) }
        transport.open { [connector] message in
            receive(message)
            switch message {
            case .event(.reset), .event(.resumed): connector.didReceiveState(number)
            case .closed: connector.disconnect(number)
            case .event, .reply: break
            }
        }
    }

    func send(_ request: HubRequest) {
        inner.withLock { $0?.transport }?.send(request)
    }

    func close() {
        if let number = inner.withLock({ $0?.number }) { connector.disconnect(number) }
        disconnect()
    }

    /// Closes the connection as if the hub had closed it.
    func disconnect() {
        inner.withLock { $0?.transport }?.close()
    }
}
