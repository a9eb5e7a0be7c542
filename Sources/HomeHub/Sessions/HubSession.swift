package import Foundation
package import HubAPI
import HomeModel
import Synchronization

/// The hub's end of one client's connection, whatever carries it.
///
/// Requests are taken one after the other, in the client's order; replies and events leave in one order.
package final class HubSession: Sendable, Identifiable {
    // A class, because a connection has an identity and is shared by the parts of the hub that tell it things.

    private struct Inbound {
        var hello: Hello?
        var former: UUID?
        var filter = NotificationFilter()
        var isBrowsing = false
        var watchesQuestions = false
        var roles: [UUID: Role] = [:]
        var gate = EventGate()
        var load = RequestLoad()
        var isClosed = false
    }

    /// This connection's identity: the client of ``HomeModel/Caller``.
    package let id = UUID()
    /// Whose connection it is and what it can do; the listener knows.
    let authority: SessionAuthority
    private let aliases: AliasKey
    private let requests: AsyncStream<HubRequest>.Continuation
    private let inbound = Mutex(Inbound())
    private let outbound: Mutex<(@Sendable (HubMessage) -> Void)?>
    private let ledger: ReplyCache
    private let watch: RequestObserver
    private let onReturn: @Sendable (HubSession) -> Void
    private let onClose: @Sendable (HubSession) -> Void

    init(
        as authority: SessionAuthority,
        aliases: AliasKey,
        router: MethodRouter,
        ledger: ReplyCache,
        watch: RequestObserver,
        deliver: @escaping @Sendable (HubMessage) -> Void,
        onReturn: @escaping @Sendable (HubSession) -> Void,
        onClose: @escaping @Sendable (HubSession) -> Void
    ) {
        self.authority = authority
        self.aliases = aliases
        self.ledger = ledger
        self.watch = watch
        self.onReturn = onReturn
        self.onClose = onClose
        outbound = Mutex(deliver)
        // What waits in it is bounded by the load.
        let (stream, continuation) = AsyncStream.makeStream(of: HubRequest.self)
        requests = continuation
        Task { [weak self] in
            for await request in stream {
                guard let self else { return }
                await self.take(request, router: router)
            }
        }
    }

    // MARK: For carriers

    /// Takes a request; its reply leaves by the `deliver` that the session was made with. One that is too many is refused
    /// at once with ``HubAPI/HubError/Code/tooManyRequests``.
    package func receive(_ request: HubRequest) {
        guard inbound.withLock({ $0.load.add(request.size) }) else {
            let refusal = HubReply.failure(SessionLimits.tooManyRequests)
            watch.note(request.method, of: self, refusal.result, after: .zero)
            return deliver(.reply(id: request.id, refusal))
        }
        requests.yield(request)
    }

    /// The client does not read what it is sent: events are held back until ``catchUp()``; replies are not. It may be called
    /// within `deliver`.
    package func fallBehind() {
        inbound.withLock { $0.gate.isPaused = true }
    }

    /// The client has read what it was sent. If it missed events, it is told everything anew.
    package func catchUp() {
        inbound.withLock { $0.gate.isPaused = false }
        Task { onReturn(self) }
    }

    /// Ends the session. Nothing leaves it any more but a last `closed`.
    package func close(_ error: HubError = HubError(.connectionLost, "The connection to the hub is closed.")) {
        let wasOpen = inbound.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        requests.finish()
        outbound.withLock { deliver in
            deliver?(.closed(error))
            deliver = nil
        }
        onClose(self)
    }

    // MARK: For the parts of the hub

    /// The user whose connection it is.
    var user: UUID { authority.user }

    /// Who asks by this session.
    var caller: Caller {
        Caller(user: user, device: authority.device, app: inbound.withLock { $0.hello?.app } ?? "", client: id)
    }

    /// What makes the session's requests happen: a person, at the command line for example, or an app by itself.
    var cause: Cause {
        kind == .person ? .person : .app
    }

    /// Whether a person asks by this session, or an app.
    private var kind: SessionKind {
        // Which app it is, is the client's own word here; it has the rights of its user either way.
        authority.app == nil && HubProtocol.isOwnApp(caller.app) ? .person : .app
    }

    /// What makes a request happen to which a user agreed by answering a question.
    func cause(agreedBy user: UUID) -> Cause {
        let cause = cause
        return cause == .app ? .consent(of: user) : cause
    }

    /// Where the session's requests come from.
    var origin: Origin { Origin(cause: cause, caller: caller) }

    /// What the client is shown of the homes, and whom it means by the IDs in its requests.
    var projection: Projection { aliases.projection(for: user, app: caller.app, kind) }

    /// The person in front of the client, who makes changes in what the system would show as a sheet of its own. The client
    /// hears of them as of anyone else's.
    var person: Caller {
        var person = caller
        person.client = UUID()
        return person
    }

    /// Whether the session has ended.
    var isClosed: Bool { inbound.withLock { $0.isClosed } }

    /// Tells the client something, unless it is an event that it is to miss.
    func deliver(_ message: HubMessage) {
        if case .event(let event) = message {
            switch inbound.withLock({ $0.gate.route(event) }) {
            case .deliver: break
            case .drop: return
            case .endSession:
                close(HubError(.connectionLost, "The client does not read what it is sent."))
                return
            }
        }
        outbound.withLock { $0?(message) }
    }

    /// Whether the client is in front of nobody.
    var isInBackground: Bool {
        get { inbound.withLock { $0.gate.isInBackground } }
        set { inbound.withLock { $0.gate.isInBackground = newValue } }
    }

    /// Whether the client has to be told everything anew, and can be; it is taken to be told.
    func consumeMissed() -> Bool {
        inbound.withLock { $0.gate.isOpen && $0.gate.consumeMissed() }
    }

    /// What the client said of itself; nil before it did.
    var hello: Hello? {
        get { inbound.withLock { $0.hello } }
        set { inbound.withLock { $0.hello = newValue } }
    }

    /// The session that the client had before, if it asks again here what it has no replies to.
    var former: UUID? {
        get { inbound.withLock { $0.former } }
        set { inbound.withLock { $0.former = newValue } }
    }

    /// Whether a change is this client's own.
    ///
    /// - Parameter client: The session that asked for it.
    func isOwn(_ client: UUID) -> Bool {
        client == id || client == former
    }

    /// What the user may do in each home that they have a part in; all that the client hears is of these homes.
    var roles: [UUID: Role] {
        get { inbound.withLock { $0.roles } }
        set { inbound.withLock { $0.roles = newValue } }
    }

    /// Whether the user may change a home's layout.
    func mayEdit(_ home: UUID) -> Bool {
        inbound.withLock { $0.roles[home]?.canEditLayout ?? false }
    }

    /// Whether the client wants to hear of accessories that are in no home.
    var isBrowsing: Bool {
        get { inbound.withLock { $0.isBrowsing } }
        set { inbound.withLock { $0.isBrowsing = newValue } }
    }

    /// Whether the client can put questions to a person.
    var watchesQuestions: Bool {
        get { inbound.withLock { $0.watchesQuestions } }
        set { inbound.withLock { $0.watchesQuestions = newValue } }
    }

    /// Which value changes the client hears of.
    func withFilter<Result: Sendable>(_ body: (inout NotificationFilter) -> Result) -> Result {
        inbound.withLock { body(&$0.filter) }
    }

    private func take(_ request: HubRequest, router: MethodRouter) async {
        let started = ContinuousClock.now
        let reply: ReplyCache.Answer = { [weak self] reply in
            guard let self else { return }
            inbound.withLock { $0.load.remove(request.size) }
            watch.note(request.method, of: self, reply.result, after: ContinuousClock.now - started)
            deliver(.reply(id: request.id, reply))
        }
        let app = hello?.app
        if app == nil, request.method != HubMethods.hello.name {
            return reply(.failure(HubError(.notGreeted, "Call \(HubMethods.hello.name) first.")))
        }
        if let app = authority.app, let refusal = router.refusal(of: request.method, to: app) {
            return reply(.failure(refusal))
        }
        guard let app, let key = request.key else {
            return await carryOut(request, nil, router, reply)
        }
        let keyed = KeyedRequest(request, key: key, user: user, app: app)
        guard await ledger.take(keyed, answer: reply) else { return }
        await carryOut(request, keyed, router) { [ledger] result in
            ledger.end(keyed.key, result)
            reply(result)
        }
    }

    private func carryOut(
        _ request: HubRequest,
        _ keyed: KeyedRequest?,
        _ router: MethodRouter,
        _ reply: @escaping ReplyCache.Answer
    ) async {
        do throws(HubError) {
            switch try await router.handler(of: request.method)(request.parameters, self, keyed) {
            case .done(let result):
                reply(.success(result))
            case .deferred(let work):
                Task {
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
                Task { await work { reply(HubReply($0)) } }
            }
        } catch {
            reply(.failure(error))
        }
    }
}
