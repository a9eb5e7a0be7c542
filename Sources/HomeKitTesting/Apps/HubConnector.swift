import Dispatch
import Foundation
import HomeHub
import HomeKit
import HubAPI
import Synchronization

/// The way to a hub that stays while hubs come and go: what connects by it gets the hub of that moment, and what loses
/// that one waits here for the next.
final class HubConnector: Sendable {
    // A class, because the apps of a home and the home itself go by the same one.

    private struct Passage {
        var app: String
        var transport: ConnectorTransport
        /// Whether it has heard all of the hub's homes.
        var isInformed = false
    }

    private struct State {
        var hub: HomeHub?
        /// Whether there has been a hub.
        var hasHadHub = false
        /// Whether there will be no hub any more.
        var isShut = false
        /// What connects as soon as there is a hub.
        var waiting: [@Sendable () -> Void] = []
        /// The connections that have not ended.
        var passages: [Int: Passage] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    /// Tells that somebody came and there was no hub, and none before.
    private let onAbsence: @Sendable () -> Void

    /// Creates a door without a hub.
    ///
    /// - Parameter onAbsence: Called when somebody wants to connect while there is no hub.
    init(onAbsence: @escaping @Sendable () -> Void = {}) {
        self.onAbsence = onAbsence
    }

    /// The hub of this moment.
    var hub: HomeHub? { state.withLock { $0.hub } }

    /// The names of the apps that are connected, one for each connection.
    var apps: [String] { state.withLock { $0.passages.values.map(\.app).sorted() } }

    /// Whether all who are connected have heard of the hub's homes.
    var isSettled: Bool {
        state.withLock { $0.passages.values.allSatisfy(\.isInformed) }
    }

    // MARK: Hubs

    /// Opens the door to a hub. Those who wait connect at once.
    func open(to hub: HomeHub) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.hub = hub
            state.hasHadHub = true
            return state.waiting
        }
        for work in waiting { work() }
    }

    /// Closes the door: who comes waits for the next hub. Who is inside stays until the hub stops, or ``dismiss()``.
    ///
    /// - Returns: The hub that there was.
    @discardableResult
    func close() -> HomeHub? {
        state.withLock { $0.hub.take() }
    }

    /// Ends the connections that the hub has left open, and waits until all have ended.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    func dismiss() async throws {
        for transport in state.withLock({ $0.passages.values.map(\.transport) }) { transport.hangUp() }
        try await ConditionPoller(limit: TestHome.waitLimit).wait {
            state.withLock { $0.passages.isEmpty }
        } otherwise: {
            WaitTimeoutError(
                "the apps have lost the hub",
                TestHome.waitLimit,
                #fileID,
                #line,
                state: "Still there: \(apps)"
            )
        }
    }

    /// Waits until ``isSettled``.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    func settle() async throws {
        try await ConditionPoller(limit: TestHome.waitLimit).wait {
            isSettled
        } otherwise: {
            WaitTimeoutError(
                "the apps know the hub's homes",
                TestHome.waitLimit,
                #fileID,
                #line,
                state: "Connected: \(apps)"
            )
        }
    }

    /// Closes the door for ever.
    func shut() {
        state.withLock { state in
            state.isShut = true
            state.hub = nil
            state.waiting = []
        }
    }

    // MARK: Apps

    /// When apps connect again: once at once, which fails where there is no hub, so that they know that it is gone; then as
    /// soon as there is a hub; if there is one and it does not take them, after a while.
    var retry: RetryPolicy {
        RetryPolicy(delay: { $0 == 0 ? .zero : RetryPolicy.standard.delay($0) }) { [weak self] delay, work in
            if delay == .zero {
                RetryPolicy.standard.wait(delay, work)
            } else {
                self?.wait(delay, work)
            }
        }
    }

    private func wait(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            guard state.hub == nil else { return true }
            if !state.isShut { state.waiting.append(work) }
            return false
        }
        guard isThere else { return }
        RetryPolicy.standard.wait(delay) { [weak self] in self?.wait(work) }
    }

    private func wait(_ work: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            if state.hub == nil, !state.isShut { state.waiting.append(work) }
            return state.hub != nil
        }
        if isThere { work() }
    }

    /// A new way to the hub for an app.
    ///
    /// - Parameters:
    ///   - app: The app's name.
    ///   - user: Whose app it is; `nil` for the hub's own user, who is not known before there is a hub.
    func transport(for app: String, of user: UUID?) -> any HubTransport {
        ConnectorTransport(self, app: app, user: user)
    }

    /// Lets a connection in.
    ///
    /// - Returns: Its number and the hub; `nil` if there is none.
    fileprivate func enter(_ transport: ConnectorTransport, _ app: String) -> (number: Int, hub: HomeHub)? {
        let (entry, isFirst) = state.withLock { state -> ((Int, HomeHub)?, Bool) in
            guard let hub = state.hub else { return (nil, !state.hasHadHub) }
            state.last += 1
            state.passages[state.last] = Passage(app: app, transport: transport)
            return ((state.last, hub), false)
        }
        if isFirst { onAbsence() }
        return entry
    }

    /// Notes that a connection was told everything.
    fileprivate func noteNews(_ number: Int) {
        // After the app has taken it in, and its delegates have heard of it.
        DispatchQueue.main.async { [weak self] in
            self?.state.withLock { $0.passages[number]?.isInformed = true }
        }
    }

    fileprivate func leave(_ number: Int) {
        _ = state.withLock { $0.passages.removeValue(forKey: number) }
    }
}

/// A way to the hub that is behind the door when it is opened.
private final class ConnectorTransport: HubTransport {
    // A class, because a connection has an identity.

    private let door: HubConnector
    private let app: String
    private let user: UUID?
    private let inner = Mutex<(number: Int, transport: InProcessTransport)?>(nil)

    init(_ door: HubConnector, app: String, user: UUID?) {
        self.door = door
        self.app = app
        self.user = user
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        guard let (number, hub) = door.enter(self, app) else {
            receive(.closed(HubError(.noHub, "There is no hub at the moment.")))
            return
        }
        let authority = SessionAuthority(user: user ?? hub.owner.user, device: hub.owner.device, client: .person)
        let transport = InProcessTransport(to: hub, as: authority)
        inner.withLock { $0 = (number, transport) }
        transport.open { [door] message in
            receive(message)
            switch message {
            case .event(.reset), .event(.resumed): door.noteNews(number)
            case .closed: door.leave(number)
            case .event, .reply: break
            }
        }
    }

    func send(_ request: HubRequest) {
        inner.withLock { $0?.transport }?.send(request)
    }

    func close() {
        if let number = inner.withLock({ $0?.number }) { door.leave(number) }
        hangUp()
    }

    /// Ends it as if the hub had.
    func hangUp() {
        inner.withLock { $0?.transport }?.close()
    }
}
