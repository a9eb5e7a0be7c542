import HubAPI
import HubClient
import Synchronization

/// A transport that tries the near way and the way through the relay at once, and uses the first on which the hub proves
/// that it is the hub. The near way has a head start.
final class RacingTransport: HubTransport {
    // This is a class because it is one connection.

    /// Makes the transport of a way. The argument must be called once the hub has proved that it is the hub.
    typealias Maker = @Sendable (@escaping @Sendable () -> Void) -> any HubTransport

    private struct State {
        var receive: (@Sendable (HubMessage) -> Void)?
        var waiting: [HubRequest] = []
        var runners: [Way: any HubTransport] = [:]
        var errors: [Way: HubError] = [:]
        var hasStartedAway = false
        var winner: Way?
        var isOver = false
    }

    private let near: Maker
    private let away: Maker
    private let headStart: Duration
    private let onWin: @Sendable (Way) -> Void
    private let state = Mutex(State())

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - headStart: How long the near way is tried alone.
    ///   - onWin: A closure that gets the way that is used.
    init(
        near: @escaping Maker,
        away: @escaping Maker,
        headStart: Duration,
        onWin: @escaping @Sendable (Way) -> Void
    ) {
        self.near = near
        self.away = away
        self.headStart = headStart
        self.onWin = onWin
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        state.withLock { $0.receive = receive }
        start(.near)
        RetryPolicy.standard.wait(headStart) { self.startAway() }
    }

    private func startAway() {
        let isFirst = state.withLock { state in
            guard !state.hasStartedAway, state.winner == nil, !state.isOver else { return false }
            state.hasStartedAway = true
            return true
        }
        if isFirst { start(.away) }
    }

    private func start(_ way: Way) {
        let transport = (way == .near ? near : away) { [weak self] in self?.won(way) }
        let isOver = state.withLock { state in
            if !state.isOver { state.runners[way] = transport }
            return state.isOver
        }
        guard !isOver else { return }
        transport.open { [weak self] in self?.received($0, on: way) }
    }

    private func won(_ way: Way) {
        let (winner, loser, requests) = state.withLock {
            state -> ((any HubTransport)?, (any HubTransport)?, [HubRequest]) in
            guard state.winner == nil, !state.isOver else { return (nil, nil, []) }
            state.winner = way
            defer { state.waiting = [] }
            return (state.runners[way], state.runners[way == .near ? .away : .near], state.waiting)
        }
        guard let winner else { return }
        loser?.close()
        onWin(way)
        for request in requests { winner.send(request) }
    }

    private func received(_ message: HubMessage, on way: Way) {
        guard case .closed(let error) = message else {
            let receive = state.withLock { $0.winner == way ? $0.receive : nil }
            receive?(message)
            return
        }
        let (receive, mustStartAway, final) = state.withLock {
            state -> ((@Sendable (HubMessage) -> Void)?, Bool, HubError) in
            guard state.winner == nil || state.winner == way, !state.isOver else { return (nil, false, error) }
            state.errors[way] = error
            let isLast = state.winner == way || state.errors.count == 2
            guard isLast else { return (nil, way == .near, error) }
            state.isOver = true
            defer { state.receive = nil }
            guard state.winner == nil else { return (state.receive, false, error) }
            // That nobody answers nearby is no news to a device whose relay says why it doesn't lead to the hub.
            let told = state.errors[.away].flatMap { [.notHere, .relayFailed].contains($0.code) ? $0 : nil }
            return (state.receive, false, told ?? state.errors[.near] ?? error)
        }
        receive?(.closed(final))
        if mustStartAway { startAway() }
    }

    func send(_ request: HubRequest) {
        let winner = state.withLock { state -> (any HubTransport)? in
            guard let winner = state.winner else {
                if !state.isOver { state.waiting.append(request) }
                return nil
            }
            return state.runners[winner]
        }
        winner?.send(request)
    }

    func close() {
        let (receive, runners) = state.withLock { state in
            let receive = state.isOver ? nil : state.receive
            state.isOver = true
            state.receive = nil
            return (receive, Array(state.runners.values))
        }
        for runner in runners { runner.close() }
        receive?(.closed(HubError(.connectionLost, "This program closed its connection to the hub.")))
    }
}
