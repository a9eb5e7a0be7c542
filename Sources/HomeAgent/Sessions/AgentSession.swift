import Foundation
import HubAPI
import HubClient
import LocalRPC
import Synchronization

/// An app's or a command's connection to an agent: runs a ``SessionSwitch`` over connections to the joined hubs.
final class AgentSession: RPCSession, Identifiable {
    // This is a class because a connection has an identity.

    /// A connection to a hub.
    private struct Connection {
        var hub: UUID
        var transport: any HubTransport
        /// The number of the wait for a message since a request was sent; `nil` while none is awaited.
        var doubt: Int?
    }

    private struct State {
        var machine: SessionSwitch
        var connections: [Int: Connection] = [:]
        var lastDoubt = 0
        var deliver: (@Sendable (HubMessage) -> Void)?
        /// The actions that have not run yet. One thread at a time runs them, so that they keep their order.
        var actions: ArraySlice<SessionAction> = []
        var isActing = false
        var isOver = false
    }

    let id = UUID()
    private let agent: Agent
    private let state: Mutex<State>

    /// Creates a session.
    ///
    /// - Parameter app: The app that every client of the socket is; `nil` for the agent's own socket.
    init(of agent: Agent, app: String? = nil, deliver: @escaping @Sendable (HubMessage) -> Void) {
        self.agent = agent
        state = Mutex(State(machine: SessionSwitch(id: id, app: app), deliver: deliver))
    }

    /// The client's introduction, once it was admitted.
    var hello: Hello? { state.withLock { $0.machine.hello } }

    // MARK: For the listener

    func receive(_ request: HubRequest) {
        handle { $0.receive(request, $1) }
    }

    func pauseEvents() {
        handle { $0.setPaused(true, $1) }
    }

    func resumeEvents() {
        handle { $0.setPaused(false, $1) }
    }

    func end() {
        let connections = state.withLock { state in
            state.isOver = true
            state.machine.end()
            state.deliver = nil
            state.actions = []
            defer { state.connections = [:] }
            return Array(state.connections.values)
        }
        for connection in connections { connection.transport.close() }
        agent.remove(self)
    }

    /// Ends the session from the agent's side. The last message that the client gets is `closed`.
    func close(_ error: HubError) {
        deliver(.closed(error))
        end()
    }

    // MARK: For the agent

    func answerIsDue(_ key: UUID) {
        handle { $0.answerIsDue(key, $1) }
    }

    func hubDidChange(_ hub: UUID) {
        handle { $0.hubDidChange(hub, $1) }
    }

    func hubTold(_ hub: UUID, _ news: FeedNews) {
        handle { $0.hubTold(hub, news, $1) }
    }

    func hubIsGone(_ hub: UUID, homes: [UUID]) {
        handle { $0.hubIsGone(hub, homes: homes, $1) }
    }

    func choicesDidChange(by session: UUID) {
        handle { $0.choicesDidChange(by: session, $1) }
    }

    func restart() {
        handle { $0.restart($1) }
    }

    /// Goes on with the hello, once it is decided whether the app may use the homes.
    func admitted(_ refusal: HubError?) {
        handle { $0.admitted(refusal, $1) }
    }

    /// Tells the client of a question of the agent's own, or of its end.
    func notifyOfQuestion(_ event: HubEvent) {
        handle { machine, _ in machine.notifyOfQuestion(event) }
    }

    /// Replies to a request that the agent has carried out itself.
    func reply(to request: HubRequest, _ result: Result<Data, HubError>) {
        handle { _, _ in [.deliver(.reply(id: request.id, HubReply(result)))] }
    }

    // MARK: Running the machine

    private func handle(_ event: (inout SessionSwitch, SessionView) -> [SessionAction]) {
        let isFirst = state.withLock { state in
            guard !state.isOver else { return false }
            // The view belongs to the event: what changes later is an event of its own.
            state.actions += event(&state.machine, agent.view)
            defer { state.isActing = true }
            return !state.isActing
        }
        guard isFirst else { return }
        while let action = nextAction() { perform(action) }
    }

    private func nextAction() -> SessionAction? {
        state.withLock { state in
            let action = state.actions.popFirst()
            state.isActing = action != nil
            return action
        }
    }

    private func perform(_ action: SessionAction) {
        switch action {
        case .deliver(let message):
            deliver(message)
        case .admit(let hello):
            agent.admit(hello, for: self)
        case .open(let connection, let hub):
            open(connection, hub)
        case .send(let request, let connection):
            send(request, on: connection)
        case .close(let connection):
            state.withLock { $0.connections.removeValue(forKey: connection) }?.transport.close()
        case .startTimeout(let connection):
            RetryPolicy.standard.wait(agent.greetingTimeout) { [weak self] in
                self?.handle { $0.timedOut(connection, $1) }
            }
        case .startAnswerTimeout(let key):
            RetryPolicy.standard.wait(agent.answerTime) { [weak self] in self?.answerIsDue(key) }
        case .lose(let commands):
            agent.lose(commands)
        case .settle(let key):
            agent.settle(key)
        case .serve(let request):
            Task { [self] in
                let (result, finish) = await agent.serve(request, for: self)
                reply(to: request, result)
                finish()
            }
        case .remember(let connection, let session, let hub):
            agent.remember(connection, of: session, at: hub)
        case .suspect(let hub):
            agent.hub(hub)?.suspect()
        case .end(let error):
            close(error)
        }
    }

    private func deliver(_ message: HubMessage) {
        state.withLock { $0.deliver }?(message)
    }

    private func open(_ connection: Int, _ hub: UUID) {
        guard let transport = agent.hub(hub)?.transport() else {
            let error = HubError(.hubAway, "This device no longer belongs to the home.")
            return handle { $0.received(.closed(error), on: connection, $1) }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.connections[connection] = Connection(hub: hub, transport: transport) }
            return state.isOver
        }
        guard !isOver else { return }
        transport.open { [weak self] message in
            self?.heard(on: connection)
            self?.handle { $0.received(message, on: connection, $1) }
        }
    }

    /// Sends a request to a hub. A network that goes away ends no connection, so the agent checks that the hub is still there
    /// while it says nothing.
    private func send(_ request: HubRequest, on connection: Int) {
        let (transport, doubt) = state.withLock { state -> ((any HubTransport)?, Int?) in
            guard let found = state.connections[connection] else { return (nil, nil) }
            guard found.doubt == nil else { return (found.transport, nil) }
            state.lastDoubt += 1
            state.connections[connection]?.doubt = state.lastDoubt
            return (found.transport, state.lastDoubt)
        }
        transport?.send(request)
        if let doubt { awaitMessage(doubt, on: connection, for: AgentLimits.doubtTime) }
    }

    /// Has the hub checked if nothing comes for a time, and again after twice as long, until the heartbeats do it: a check may
    /// have come just before the network went away.
    private func awaitMessage(_ doubt: Int, on connection: Int, for time: Duration) {
        RetryPolicy.standard.wait(time) { [weak self] in
            guard let self else { return }
            let isLast = time >= agent.heartbeat
            let hub = state.withLock { state -> UUID? in
                guard let found = state.connections[connection], found.doubt == doubt else { return nil }
                if isLast { state.connections[connection]?.doubt = nil }
                return found.hub
            }
            guard let hub else { return }
            agent.hub(hub)?.doubt()
            if !isLast { awaitMessage(doubt, on: connection, for: time * 2) }
        }
    }

    private func heard(on connection: Int) {
        state.withLock { state in
            guard state.connections[connection]?.doubt != nil else { return }
            state.connections[connection]?.doubt = nil
        }
    }
}
