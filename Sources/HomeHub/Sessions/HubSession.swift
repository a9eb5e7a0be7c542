package import Foundation
package import HubAPI
import HAPClient
import HomeModel
import Synchronization

/// The hub's end of a client's connection, over any transport.
///
/// Requests are handled one after another, in the client's order. Replies and events leave in one order.
package final class HubSession: Sendable, Identifiable {
    // This is a class because a connection has an identity and is shared by parts of the hub that send messages to it.

    private struct Inbound {
        var gate = EventGate()
        var access = HomeAccess()
        var hello: Hello?
        var former: UUID?
        var isBrowsing = false
        var watchesQuestions = false
        var followsJournal = false
        var load = RequestLoad()
        var isClosed = false
        /// Whether the device or its user lost access, so that requests that wait aren't carried out.
        var isRevoked = false
    }

    /// The closure that receives the session's messages.
    ///
    /// This is a struct because a closure that a lock holds itself is wrapped again at every access. After some thousand
    /// messages, calling it would exhaust the stack.
    private struct Outlet {
        var send: @Sendable (HubMessage) -> Void
    }

    /// The ID of this connection: the client of ``HomeModel/Caller``.
    package let id: UUID
    // What each event needs comes first, so that it lies close together. A hub has many sessions, and between events they
    // leave the processor's caches.
    /// Whether the client is away, as ``authority`` says.
    private let isAway: Bool
    private let outbound: Mutex<Outlet?>
    private let inbound = Mutex(Inbound())
    /// The connection's user and permissions, as determined by the listener.
    let authority: SessionAuthority
    /// What withdraws the session's writes that wait for accessories.
    let withdrawal = WriteWithdrawal()
    /// The executor of the connection's thread.
    private let executor: (any TaskExecutor)?
    private let aliases: AliasKey
    private let requests: AsyncStream<HubRequest>.Continuation
    /// The values that a session from away hasn't been sent yet.
    private let gathering = Mutex(ValueGathering())
    private let ledger: ReplyCache
    /// What passes on what only the leader does; `nil` for the session of the other hub's client.
    private let line: LeaderLine?
    private let watch: RequestObserver
    private let onReturn: @Sendable (HubSession) -> Void
    private let onClose: @Sendable (HubSession) -> Void

    init(
        _ id: UUID = UUID(),
        as authority: SessionAuthority,
        on executor: (any TaskExecutor)? = nil,
        aliases: AliasKey,
        router: MethodRouter,
        ledger: ReplyCache,
        line: LeaderLine? = nil,
        watch: RequestObserver,
        deliver: @escaping @Sendable (HubMessage) -> Void,
        onReturn: @escaping @Sendable (HubSession) -> Void,
        onClose: @escaping @Sendable (HubSession) -> Void
    ) {
        self.id = id
        self.authority = authority
        isAway = authority.way == .away
        self.executor = executor
        self.aliases = aliases
        self.ledger = ledger
        self.line = line
        self.watch = watch
        self.onReturn = onReturn
        self.onClose = onClose
        outbound = Mutex(Outlet(send: deliver))
        // The request load bounds the stream's buffer.
        let (stream, continuation) = AsyncStream.makeStream(of: HubRequest.self)
        requests = continuation
        Task(executorPreference: executor) { [weak self] in
            for await request in stream {
                guard let self else { return }
                await self.handle(request, router: router)
            }
        }
    }

    // MARK: For transports

    /// Handles a request. Its reply is sent through the `deliver` closure that the session was created with. A request
    /// beyond the limit is rejected immediately with ``HubAPI/HubError/Code/tooManyRequests``.
    package func receive(_ request: HubRequest) {
        guard inbound.withLock({ $0.load.add(request.size) }) else {
            let refusal = HubReply.failure(SessionLimits.tooManyRequests)
            watch.record(request.method, of: self, refusal.result, after: .zero)
            return deliver(.reply(id: request.id, refusal))
        }
        requests.yield(request)
    }

    /// Pauses events because the client doesn't read its messages. Replies are still sent. Can be called within
    /// `deliver`.
    package func pauseEvents() {
        inbound.withLock { $0.gate.isPaused = true }
    }

    /// Resumes events because the client has read its messages. If it missed events, it receives the full state.
    package func resumeEvents() {
        inbound.withLock { $0.gate.isPaused = false }
        Task { onReturn(self) }
    }

    /// Sends the full state again, because the client lost events that were sent to it.
    package func resendState() {
        inbound.withLock { $0.gate.recordMiss() }
        Task { onReturn(self) }
    }

    /// Closes the session. The last message that it sends is `closed`.
    package func close(_ error: HubError = HubError(.connectionLost, "The connection to the hub is closed.")) {
        let wasOpen = inbound.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        requests.finish()
        outbound.withLock { outlet in
            outlet?.send(.closed(error))
            outlet = nil
        }
        onClose(self)
    }

    /// Closes the session because its device or user has lost access. What waits isn't carried out any longer.
    func revoke(_ error: HubError) {
        inbound.withLock { $0.isRevoked = true }
        withdrawal.withdraw()
        close(error)
    }

    /// Whether the session's device or user has lost access.
    var isRevoked: Bool { inbound.withLock { $0.isRevoked } }

    // MARK: For the parts of the hub

    /// The ID of the connection's user.
    var user: UUID { authority.user }

    /// The caller of the session's requests.
    var caller: Caller {
        Caller(
            user: user,
            device: authority.device,
            app: inbound.withLock { $0.hello?.app } ?? "",
            client: id,
            isAway: isAway
        )
    }

    /// The cause of the session's requests: a user, for example at the command line, an assistant, or an app.
    var cause: Cause {
        isAssistant ? .assistant : kind.isPerson ? .person : .app
    }

    /// Whether the client has introduced itself as an AI assistant.
    var isAssistant: Bool { inbound.withLock { $0.hello?.isAssistant == true } }

    /// Whether the client is an agent's own session. A claim is enough, because it sees no more than its user.
    var isAgent: Bool { inbound.withLock { $0.access.isAgent } }

    /// The kind of session: a user's or an app's.
    private var kind: SessionKind {
        // The app's identifier is the client's own claim here. Either way it has the rights of its user.
        guard authority.app == nil, HubProtocol.isOwnApp(caller.app), !isAssistant else { return .app }
        return isAgent ? .agent : .person
    }

    /// Returns the cause of a request that a user agreed to by answering a question.
    func cause(agreedBy user: UUID) -> Cause {
        let cause = cause
        return cause == .app ? .consent(of: user) : cause
    }

    /// The origin of the session's requests.
    var origin: Origin { Origin(cause: cause, caller: caller, expiry: RequestExpiry.current) }

    /// The session's view of the homes, which also maps the user IDs in its requests.
    var projection: Projection { aliases.projection(for: user, app: caller.app, kind) }

    /// The caller for changes that the user makes in a question, where Apple's system would show its own sheet. The
    /// client receives these changes like those of any other client.
    var person: Caller {
        var person = caller
        person.client = UUID()
        return person
    }

    /// Whether the session is closed.
    var isClosed: Bool { inbound.withLock { $0.isClosed } }

    /// Sends a message to the client, unless it is an event that must be dropped.
    func deliver(_ message: HubMessage) {
        if case .event(let event) = message {
            send(event, by: inbound.withLock { $0.gate.route(event) })
        } else {
            send(message)
        }
    }

    /// Sends those values that the client sees. To a client from away, it sends them a little later, with those that come
    /// until then.
    ///
    /// - Parameter event: The event with all the values.
    func deliver(_ values: [ValueActivity], as event: HubEvent) {
        guard !isAway else { return gather(values) }
        let (visible, route) = inbound.withLock { state in
            let visible: HubEvent
            if let part = state.access.visible(of: values, to: id) {
                guard !part.isEmpty else { return (event, EventGate.Route.drop) }
                visible = .values(part.map(\.update))
            } else {
                visible = event
            }
            return (visible, state.gate.route(visible))
        }
        send(visible, by: route)
    }

    private func send(_ event: HubEvent, by route: EventGate.Route) {
        switch route {
        case .deliver: send(.event(event))
        case .drop: break
        case .endSession: close(HubError(.connectionLost, "The client does not read its messages."))
        }
    }

    private func send(_ message: HubMessage) {
        outbound.withLock { outlet in
            // What came before leaves before.
            if isAway { sendGathered(to: outlet) }
            outlet?.send(message)
        }
    }

    private func gather(_ values: [ValueActivity]) {
        let visible = inbound.withLock { state -> [ValueActivity] in
            let visible = state.access.visible(of: values, to: id) ?? values
            guard !visible.isEmpty, state.gate.route(.values(visible.map(\.update))) == .deliver else { return [] }
            return visible
        }
        guard !visible.isEmpty else { return }
        let isFirst = gathering.withLock { gathering in
            defer { gathering.add(visible.map(\.update)) { visible[$0].isMomentary } }
            return gathering.isEmpty
        }
        guard isFirst else { return }
        Task { [weak self] in
            try? await Task.sleep(for: SessionLimits.gatheringTime)
            guard let self else { return }
            outbound.withLock { sendGathered(to: $0) }
        }
    }

    private func sendGathered(to outlet: Outlet?) {
        let gathered = gathering.withLock { $0.drain() }
        if !gathered.isEmpty { outlet?.send(.event(.values(gathered))) }
    }

    /// Whether the client is in the background.
    var isInBackground: Bool {
        get { inbound.withLock { $0.gate.isInBackground } }
        set { inbound.withLock { $0.gate.isInBackground = newValue } }
    }

    /// Returns whether the client must receive the full state and can, and resets the flag, because the caller sends
    /// it.
    func consumeMissed() -> Bool {
        inbound.withLock { $0.gate.isOpen && $0.gate.consumeMissed() }
    }

    /// The client's introduction; `nil` before the client has sent it.
    var hello: Hello? {
        get { inbound.withLock { $0.hello } }
        set {
            let isAgent = authority.app == nil && newValue?.agent != nil && newValue?.app == HubProtocol.agentApp
            inbound.withLock { state in
                state.hello = newValue
                state.access.isAgent = isAgent
            }
        }
    }

    /// The ID of the client's previous session, if the client retries its unanswered requests on this one.
    var former: UUID? {
        get { inbound.withLock { $0.former } }
        set { inbound.withLock { $0.former = newValue } }
    }

    /// Returns whether a change is this client's own.
    ///
    /// - Parameter client: The session that requested the change.
    func isOwn(_ client: UUID) -> Bool {
        client == id || client == former
    }

    /// The user's role in each home that they are a member of. The client receives events of these homes only.
    var roles: HomeRoles {
        get { inbound.withLock { $0.access.roles } }
        set { inbound.withLock { $0.access.roles = newValue } }
    }

    /// The homes that the user may not use from where the session comes from. The client sees their layout only.
    var closedHomes: Set<UUID> {
        get { inbound.withLock { $0.access.closedHomes } }
        set { inbound.withLock { $0.access.closedHomes = newValue } }
    }

    /// The roles in the homes whose values the client sees.
    var liveRoles: HomeRoles { inbound.withLock { $0.access.liveRoles } }

    /// The error for a user who may use a home only at home.
    static let notFromAway = HubError(
        .notHere,
        "You can use this home only at home. An owner or administrator can allow it from away."
    )

    /// Returns whether the user can change a home's layout.
    func mayEdit(_ home: UUID) -> Bool {
        inbound.withLock { $0.access.roles[home]?.canEditLayout ?? false }
    }

    /// Whether the client receives accessories that aren't in a home.
    var isBrowsing: Bool {
        get { inbound.withLock { $0.isBrowsing } }
        set { inbound.withLock { $0.isBrowsing = newValue } }
    }

    /// Whether the client receives questions.
    var watchesQuestions: Bool {
        get { inbound.withLock { $0.watchesQuestions } }
        set { inbound.withLock { $0.watchesQuestions = newValue } }
    }

    /// Whether the client receives new entries of the journal.
    var followsJournal: Bool {
        get { inbound.withLock { $0.followsJournal } }
        set { inbound.withLock { $0.followsJournal = newValue } }
    }

    /// Gives access to the filter of value changes.
    func withFilter<Result: Sendable>(_ body: (inout NotificationFilter) -> Result) -> Result {
        inbound.withLock { body(&$0.access.filter) }
    }

    private func handle(_ request: HubRequest, router: MethodRouter) async {
        let started = ContinuousClock.now
        let reply: ReplyCache.Answer = { [weak self] reply in
            guard let self else { return }
            inbound.withLock { $0.load.remove(request.size) }
            watch.record(request.method, of: self, reply.result, after: ContinuousClock.now - started)
            deliver(.reply(id: request.id, reply))
        }
        guard !isRevoked else { return reply(.failure(JoinDesk.removed)) }
        let app = hello?.app
        if app == nil, request.method != HubMethods.hello.name {
            return reply(.failure(HubError(.notGreeted, "Call \(HubMethods.hello.name) first.")))
        }
        if let refusal = router.refusal(of: request.method, to: self) {
            return reply(.failure(refusal))
        }
        let expiry: RequestExpiry?
        do throws(HubError) {
            // The hello brings the clock by which others expire.
            expiry = app == nil ? nil : try RequestExpiry(of: request, from: authority.way)
        } catch {
            return reply(.failure(error))
        }
        guard let app, let key = request.key else {
            if expiry?.isOver == true { return reply(.failure(RequestExpiry.error)) }
            return await start(request, nil, expiry, router, reply)
        }
        let keyed = KeyedRequest(request, key: key, from: authority, app: app)
        // What was done before is answered also after its time.
        guard await ledger.register(keyed, answer: reply) else { return }
        let complete: ReplyCache.Answer = { [ledger] result in
            // What no hub has decided, or maybe one, is asked again under the same key.
            ledger.complete(keyed.key, result, isCached: !result.isWithoutLeader)
            reply(result)
        }
        if expiry?.isOver == true { return complete(.failure(RequestExpiry.error)) }
        await start(request, keyed, expiry, router, complete)
    }

    /// Carries a request out here, or passes it on to the hub that leads.
    private func start(
        _ request: HubRequest,
        _ keyed: KeyedRequest?,
        _ expiry: RequestExpiry?,
        _ router: MethodRouter,
        _ reply: @escaping ReplyCache.Answer
    ) async {
        let here: LeaderLine.Here = { [self] in
            if expiry?.isOver == true { return reply(.failure(RequestExpiry.error)) }
            guard !isRevoked else { return reply(.failure(JoinDesk.removed)) }
            await RequestExpiry.$current.withValue(expiry) { await carryOut(request, keyed, router, reply) }
        }
        let hub = router.hub(of: request.method)
        guard hub != .reached, let hello, let line, !line.isLeading, hub == .leader || line.hasLeader else {
            return await here()
        }
        let call = LeaderRequest.Content.call(
            LeaderRequest.Client(self, hello),
            method: request.method,
            key: request.key,
            until: request.until,
            parameters: request.parameters
        )
        let isPassed = line.pass(call, of: id, here: here) { answer in
            switch answer {
            case .success(.reply(let result)): reply(result)
            case .success: reply(.failure(LeaderLine.Failure.lost.error))
            case .failure where hub == .leaderIfAny: Task { await here() }
            case .failure(let failure): reply(.failure(failure.error))
            }
        }
        if !isPassed { await here() }
    }

    private func carryOut(
        _ request: HubRequest,
        _ keyed: KeyedRequest?,
        _ router: MethodRouter,
        _ reply: @escaping ReplyCache.Answer
    ) async {
        let isBrief = router.isBrief(request.method) && request.parameters.count <= SessionLimits.briefBytes
        do throws(HubError) {
            let handler = try router.handler(of: request.method)
            let result = try await leavingThread(unless: isBrief) { () async throws(HubError) in
                try await handler(request.parameters, self, keyed)
            }
            switch result {
            case .done(let result):
                reply(.success(result))
            case .deferred(let work):
                Task(executorPreference: isBrief ? executor : nil) {
                    do throws(HubError) {
                        reply(.success(try await work()))
                    } catch {
                        reply(.failure(error))
                    }
                }
            case .committing(let work):
                Task {
                    do throws(HubError) {
                        let committed = try await work()
                        reply(HubReply(.success(committed.result), follows: committed.follows))
                    } catch {
                        reply(.failure(error))
                    }
                }
            case .callback(let work):
                work { reply(HubReply($0)) }
            case .deferredCallback(let work):
                Task(executorPreference: isBrief ? executor : nil) { await work { reply(HubReply($0)) } }
            }
        } catch {
            reply(.failure(error))
        }
    }

    /// Runs a handler, which must not delay the other connections of this one's thread unless it is brief.
    private func leavingThread(
        unless isBrief: Bool,
        _ handle: @escaping @Sendable () async throws(HubError) -> HandlerResult<Data>
    ) async throws(HubError) -> HandlerResult<Data> {
        guard executor != nil, !isBrief else { return try await handle() }
        // A new task has no executor preference.
        return try await Task { () async -> Result<HandlerResult<Data>, HubError> in
            do throws(HubError) {
                return .success(try await handle())
            } catch {
                return .failure(error)
            }
        }.value.get()
    }
}

extension HubReply {
    /// Whether the reply says that the hubs couldn't agree, so that it isn't known what came of the request.
    fileprivate var isWithoutLeader: Bool {
        if case .failure(let error) = result { error.code == .noLeader } else { false }
    }
}
