package import Foundation
import Glibc
import HomeIdentity
import HomeModel
package import HubAPI
import HubClient
package import LocalRPC
package import Logging
import Synchronization

/// Serves a device's apps and commands in the place of the hubs that the device has joined.
///
/// With a hub in reach, each session has a connection of its own there. Out of reach, it is served from the copy.
package final class Agent: RPCSessionAcceptor {
    // This is a class because it is one running agent, which stops once.

    /// How an agent reaches hubs.
    package struct Network: Sendable {
        /// Returns a new transport to a hub. Its connection proves that it is the hub.
        ///
        /// The second argument is whether it is for the agent's own session, which finds the way for all others.
        package var transport: @Sendable (StoredHub, _ isOwn: Bool) -> any HubTransport
        /// Joins a hub: finds it, proves the invitation's secret, and returns what is to be stored.
        ///
        /// The second argument stores what is known before the hub may let the device in.
        package typealias Join =
            @Sendable (JoinHub, @escaping @Sendable (StoredHub) throws(HubError) -> Void) async throws(HubError) -> (
                hub: StoredHub, digits: String?
            )

        /// Joins a hub.
        package var join: Join
        /// Releases what was opened for a hub that the device has left.
        package var forget: @Sendable (UUID) -> Void

        /// Creates a network.
        package init(
            transport: @escaping @Sendable (StoredHub, _ isOwn: Bool) -> any HubTransport,
            join: @escaping Join,
            forget: @escaping @Sendable (UUID) -> Void = { _ in }
        ) {
            self.transport = transport
            self.join = join
            self.forget = forget
        }
    }

    /// The configuration of an agent.
    package struct Configuration: Sendable {
        /// The data folder.
        package var folder: AgentFolder
        /// How hubs are reached.
        package var network: Network
        /// The version of Hearth, which hubs are told.
        package var version: String
        /// The pauses between attempts to reach a hub.
        package var retry: WakeableRetryPolicy
        /// The time that a hub has to answer a new connection.
        package var greetingTimeout: Duration
        /// Whether to ask the person about each new app; otherwise new apps are allowed.
        package var asksAboutApps: Bool
        /// The time that a question waits for an answer.
        package var questionTimeout: Duration
        /// The system's time.
        package var now: @Sendable () -> Date
        /// The agent's logger.
        package var log: Logger

        /// Creates a configuration.
        package init(
            folder: AgentFolder,
            network: Network,
            version: String = "",
            retry: WakeableRetryPolicy = .standard,
            greetingTimeout: Duration? = nil,
            asksAboutApps: Bool = false,
            questionTimeout: Duration = .seconds(120),
            now: @escaping @Sendable () -> Date = { Date() },
            log: Logger = Logger(label: "hearth.agent")
        ) {
            self.folder = folder
            self.network = network
            self.version = version
            self.retry = retry
            self.greetingTimeout = greetingTimeout ?? AgentLimits.greetingTimeout
            self.asksAboutApps = asksAboutApps
            self.questionTimeout = questionTimeout
            self.now = now
            self.log = log
        }
    }

    struct State {
        var hubs: [JoinedHub] = []
        var sessions: [UUID: AgentSession] = [:]
        var settings: AgentSettings
        var remembered: RememberedSessions
        /// The number of lines in the file of remembered sessions.
        var rememberedLines: Int
        var consent = AppConsent()
        var introductions: Introductions
        /// The hubs that were tried since the start.
        var tried: Set<UUID> = []
        /// What waits until all hubs were tried; `nil` once they were.
        var untilTried: [@Sendable () -> Void]? = []
        /// The hubs that the device is leaving, which may say that they have removed it.
        var leaving: Set<UUID> = []
        /// The hubs whose keys and copies are being deleted.
        var removing: Set<UUID> = []
        var isStopped = false
    }

    let configuration: Configuration
    let log: Logger
    let state: Mutex<State>
    private let appSockets = Mutex<AppSockets?>(nil)

    /// Starts an agent.
    ///
    /// - Throws: ``HubError`` with `storeFailure` if what it has stored can't be read.
    package init(_ configuration: Configuration) throws(HubError) {
        self.configuration = configuration
        log = configuration.log
        let settings = try configuration.folder.settings()
        let remembered = RememberedSessions(configuration.folder.rememberedSessions())
        let entries = remembered.entries
        if !entries.isEmpty { try? configuration.folder.store(entries) }
        state = Mutex(
            State(
                settings: settings,
                remembered: remembered,
                rememberedLines: entries.count,
                introductions: Introductions(done: settings.introductions)
            )
        )
        let hubs = try configuration.folder.hubs().compactMap { add($0) }
        for hub in hubs { start(hub) }
        RetryPolicy.standard.wait(hubs.isEmpty ? .zero : configuration.greetingTimeout) { [weak self] in
            self?.finishTrying()
        }
        if hubs.isEmpty { finishTrying() }
    }

    /// Opens the sockets of apps, and lets people open more. Call ``closeAppSockets()`` before ``stop()``.
    package func openAppSockets() async {
        let sockets = AppSockets(
            state.withLock { $0.settings.sockets },
            log: log,
            acceptor: { [self] in AppSocketAcceptor(agent: self, app: $0) },
            store: { [self] (list) throws(HubError) in
                state.withLock { $0.settings.sockets = list }
                try storeSettingsOrThrow()
            }
        )
        appSockets.withLock { $0 = sockets }
        await sockets.start()
    }

    /// Closes the sockets of apps. They are opened again at the next start.
    package func closeAppSockets() async {
        let sockets = appSockets.withLock { $0.take() }
        await sockets?.stop()
    }

    /// The sockets of apps, by app.
    func socketsByApp() async -> [String: [AppSocket]] {
        await appSockets.withLock { $0 }?.byApp ?? [:]
    }

    private func openSockets() throws(HubError) -> AppSockets {
        guard let sockets = appSockets.withLock({ $0 }) else {
            throw HubError(
                .notAllowedNow,
                "This agent can't open sockets: it runs inside another program, or it is stopping."
            )
        }
        return sockets
    }

    /// Stops: ends all sessions and writes what isn't written yet.
    package func stop() {
        let (hubs, sessions) = state.withLock { state in
            state.isStopped = true
            return (state.hubs, Array(state.sessions.values))
        }
        for session in sessions { session.close(HubError(.connectionLost, "The agent has stopped.")) }
        for hub in hubs { hub.stop() }
    }

    // MARK: Sessions

    /// Creates the session of a new connection.
    package func acceptConnection(
        on executor: (any TaskExecutor)?,
        deliver: @escaping @Sendable (HubMessage) -> Void
    ) -> any RPCSession {
        accept(as: nil, deliver: deliver)
    }

    /// Creates the session of a new connection at an app's own socket, or at the agent's.
    func accept(as app: String?, deliver: @escaping @Sendable (HubMessage) -> Void) -> AgentSession {
        let session = AgentSession(of: self, app: app, deliver: deliver)
        state.withLock { $0.sessions[session.id] = session }
        return session
    }

    func remove(_ session: AgentSession) {
        let question = state.withLock { state in
            state.sessions[session.id] = nil
            return state.consent.remove(session.id)
        }
        if let question { notify(.questionClosed(question)) }
    }

    var sessions: [AgentSession] { state.withLock { Array($0.sessions.values) } }

    /// The time that a hub has to answer a new connection.
    var greetingTimeout: Duration { configuration.greetingTimeout }

    /// The hubs as sessions see them.
    var view: SessionView {
        SessionView(
            load: { [self] in hubs.map(\.view) },
            choices: { [self] in state.withLock { $0.settings.choices } },
            notices: { [self] in takeNotices() },
            questions: { [self] in state.withLock { $0.consent.questions } },
            former: { [self] in former($0, at: $1) }
        )
    }

    /// Remembers which connection to a hub did the work of a session, also for the agent's next run.
    func remember(_ connection: PreviousConnection, of session: UUID, at hub: UUID) {
        let entry = RememberedSessions.Entry(session: session, hub: hub, connection: connection)
        let all = state.withLock { state -> [RememberedSessions.Entry]? in
            state.remembered.remember(entry)
            state.rememberedLines += 1
            guard state.rememberedLines > AgentLimits.rememberedLines else { return nil }
            let entries = state.remembered.entries
            state.rememberedLines = entries.count
            return entries
        }
        do throws(HubError) {
            if let all { try configuration.folder.store(all) } else { try configuration.folder.append(entry) }
        } catch {
            log.debug("A session can't be remembered.", metadata: ["reason": "\(error.reason)"])
        }
    }

    private func former(_ previous: PreviousConnection, at hub: UUID) -> FormerConnection {
        state.withLock { $0.remembered.former(previous, at: hub) }
    }

    // MARK: The start

    /// Runs a closure once each hub was tried, or has had its time. A client that connects to an agent that has just
    /// started would otherwise be told that its hubs are away.
    func whenTried(_ body: @escaping @Sendable () -> Void) {
        let isTried = state.withLock { state in
            state.untilTried?.append(body)
            return state.untilTried == nil
        }
        if isTried { body() }
    }

    private func recordTry(of hub: UUID) {
        let areAllTried = state.withLock { state in
            guard state.untilTried != nil else { return false }
            state.tried.insert(hub)
            return state.hubs.allSatisfy { state.tried.contains($0.record.id) }
        }
        if areAllTried { finishTrying() }
    }

    private func finishTrying() {
        let waiting = state.withLock { $0.untilTried.take() }
        for body in waiting ?? [] { body() }
    }

    // MARK: Hubs

    /// The joined hubs, in the order in which they were joined.
    package var hubs: [JoinedHub] { state.withLock { $0.hubs } }

    /// Tries to reach a hub now, because there is a hint that it is there.
    package func wake(_ id: UUID) { hub(id)?.wake() }

    /// Returns a joined hub.
    func hub(_ id: UUID) -> JoinedHub? {
        state.withLock { state in state.hubs.first { $0.record.id == id } }
    }

    /// Adds a hub to the list, unless it is there. It isn't started.
    func add(_ stored: StoredHub) -> JoinedHub? {
        let hub = JoinedHub(
            JoinedHub.Record(id: stored.id, name: stored.name, key: stored.key),
            copy: configuration.folder.copyPath(of: stored.id),
            version: configuration.version,
            retry: configuration.retry,
            now: configuration.now,
            log: log,
            transport: { [network = configuration.network] in network.transport(stored, $0) }
        )
        let isAdded = state.withLock { state in
            guard !state.isStopped, !state.hubs.contains(where: { $0.record.id == stored.id }) else { return false }
            state.hubs.append(hub)
            return true
        }
        return isAdded ? hub : nil
    }

    func start(_ hub: JoinedHub) {
        let id = hub.record.id
        hub.start { [weak self] in self?.hubDidChange(id, $0) }
    }

    private func hubDidChange(_ id: UUID, _ change: JoinedHub.Change) {
        switch change {
        case .near:
            log.info("A hub is in reach.", metadata: ["hub": "\(hub(id)?.record.name ?? "")"])
            for session in sessions { session.hubDidChange(id) }
            recordTry(of: id)
            introduce { introductions, hubs in introductions.arrived(at: id, hubs) + introductions.pending(hubs) }
        case .failed:
            recordTry(of: id)
        case .devices:
            introduce { introductions, hubs in introductions.pending(hubs, over: id) }
        case .message(let message):
            let peer = Introductions.Peer(hub: id, device: message.from)
            introduce { introductions, hubs in introductions.received(message.body, from: peer, hubs) }
        case .away(let error):
            log.info("A hub is out of reach.", metadata: ["reason": "\(error.reason)"])
            for session in sessions { session.hubDidChange(id) }
        case .removed(let error):
            log.warning("This device was removed from a hub.", metadata: ["reason": "\(error.reason)"])
            // Who leaves is answered first.
            guard !state.withLock({ $0.leaving.contains(id) }) else { return }
            // The hub's own queue can't wait for its end.
            Task { self.remove(id, notice: error.reason) }
        }
    }

    func remove(_ id: UUID, notice: String?) {
        let hub = state.withLock { state -> JoinedHub? in
            guard let hub = state.hubs.first(where: { $0.record.id == id }), state.removing.insert(id).inserted else {
                return nil
            }
            return hub
        }
        guard let hub else { return }
        let homes = Array(hub.view.copy.hub.homes.keys)
        hub.stop()
        // Nobody hears of it before the key and the copy are deleted.
        configuration.folder.remove(id)
        configuration.network.forget(id)
        state.withLock { state in
            if let notice, !state.leaving.contains(id) {
                state.settings.notices = Array((state.settings.notices + [notice]).suffix(AgentLimits.notices))
            }
            state.leaving.remove(id)
            state.removing.remove(id)
            state.introductions.forget(id)
            state.settings.introductions = state.introductions.done
            state.hubs.removeAll { $0.record.id == id }
        }
        storeSettings()
        for session in sessions { session.hubIsGone(id, homes: homes) }
        // The list of homes is another one now.
        for session in sessions { session.restart() }
    }

    private func takeNotices() -> [String] {
        let notices = state.withLock { state in
            defer { state.settings.notices = [] }
            return state.settings.notices
        }
        if !notices.isEmpty { storeSettings() }
        return notices
    }

    func storeSettings() {
        do throws(HubError) {
            try storeSettingsOrThrow()
        } catch {
            log.error("The agent's settings can't be stored.", metadata: ["reason": "\(error.reason)"])
        }
    }

    func storeSettingsOrThrow() throws(HubError) {
        try configuration.folder.store(state.withLock { $0.settings })
    }

    // MARK: Own methods

    /// Carries out a request for the agent itself.
    ///
    /// - Returns: The reply, and what to do once it is sent, because the session may not outlive it.
    func serve(
        _ request: HubRequest,
        for session: AgentSession
    ) async -> (Result<Data, HubError>, @Sendable () -> Void) {
        do throws(HubError) {
            switch request.method {
            case HubMethods.apps.name:
                return try (.success(encoded(await apps())), {})
            case HubMethods.allowApp.name:
                try await decide(parameters(AppTarget.self, request).id, true)
            case HubMethods.denyApp.name:
                try await decide(parameters(AppTarget.self, request).id, false)
            case HubMethods.forgetApp.name:
                let id = try parameters(AppTarget.self, request).id
                state.withLock { $0.settings.apps.removeAll { $0.id == id } }
                try storeSettingsOrThrow()
            case HubMethods.openAppSocket.name:
                try await openSockets().add(parameters(OpenAppSocket.self, request))
                return try (.success(encoded(OpenedAppSocket(hubUser: geteuid()))), {})
            case HubMethods.closeAppSocket.name:
                try await openSockets().remove(parameters(AppSocketTarget.self, request).path)
            case HubMethods.answerQuestion.name:
                try answer(parameters(AnswerQuestion.self, request))
            case HubMethods.declineQuestion.name:
                try decline(parameters(QuestionTarget.self, request).id)
            case HubMethods.renewQuestion.name:
                let expires = try renew(parameters(QuestionTarget.self, request).id)
                return try (.success(encoded(RenewedQuestion(expires: expires))), {})
            case HubMethods.setPrimaryHome.name:
                try setPrimaryHome(parameters(HomeTarget.self, request).home, by: session)
            case AgentMethods.hubs.name:
                let list = AgentHubs(hubs: hubs.map(\.description), notices: takeNotices())
                return try (.success(encoded(list)), {})
            case AgentMethods.join.name:
                let (joining, start) = try await join(parameters(JoinHub.self, request))
                return try (.success(encoded(joining)), start)
            case AgentMethods.leave.name:
                let end = try await leave(parameters(AgentHubTarget.self, request).hub)
                return (.success(Data("{}".utf8)), end)
            default:
                let reason = "An agent doesn't serve \(request.method). Use the hub's own machine."
                throw HubError(.unknownMethod, reason)
            }
            return (.success(Data("{}".utf8)), {})
        } catch {
            return (.failure(error), {})
        }
    }

    private func join(_ parameters: JoinHub) async throws(HubError) -> (HubJoining, @Sendable () -> Void) {
        guard hubs.count < AgentLimits.hubs else {
            let reason = "This device belongs to \(AgentLimits.hubs) hubs. Leave one with “hearth leave”."
            throw HubError(HomeError(.limitExceeded, reason))
        }
        let begun = Mutex<StoredHub?>(nil)
        let hub: StoredHub
        let digits: String?
        do throws(HubError) {
            (hub, digits) = try await configuration.network.join(parameters) { [self] (stored) throws(HubError) in
                try configuration.folder.store(stored)
                begun.withLock { $0 = stored }
            }
        } catch {
            if let stored = begun.withLock({ $0 }) { end(stored, because: error) }
            throw error
        }
        try configuration.folder.store(hub)
        log.info("This device has joined a hub.", metadata: ["hub": "\(hub.name)"])
        // The device may have joined before, for instance if it was removed while it was out of reach.
        let known = hubs.first { $0.record.key == hub.key }?.record.id
        let added = add(hub)
        let joining = HubJoining(hub: hub.id, name: hub.name, digits: digits)
        return (
            joining,
            { [self] in
                if let known { remove(known, notice: nil) }
                if let added { start(added) }
                // The list of homes is another one now.
                for session in sessions { session.restart() }
            }
        )
    }

    /// Ends a joining that failed. If the hub may have let the device in, it is tried like one that was joined.
    private func end(_ stored: StoredHub, because error: HubError) {
        guard error.code == .noHub else { return configuration.folder.remove(stored.id) }
        if let hub = add(stored) { start(hub) }
    }

    private func leave(_ name: String) async throws(HubError) -> @Sendable () -> Void {
        let named = hubs.filter { hub in
            hub.record.id.uuidString == name.uppercased() || hub.record.name == name
                || hub.view.copy.hub.account.homes.contains { FoldedName($0.name) == FoldedName(name) }
        }
        guard let hub = named.first, named.count == 1 else {
            let names = hubs.map { "“\($0.record.name)” (\($0.record.id.uuidString))" }.joined(separator: ", ")
            let found = named.isEmpty ? "No hub is called “\(name)”." : "Several hubs are called “\(name)”."
            throw HubError(HomeError(.notFound, names.isEmpty ? found : "\(found) This device belongs to \(names)."))
        }
        if hub.view.isNear, let device = device(at: hub) {
            // If the hub can't be told, the device stays in its list until somebody removes it there.
            _ = state.withLock { $0.leaving.insert(hub.record.id) }
            _ = try? await hub.call(HubMethods.removeDevice, RemoveDevice(id: device))
        }
        return { [self] in remove(hub.record.id, notice: nil) }
    }

    /// Returns the device's ID at a hub.
    private func device(at hub: JoinedHub) -> UUID? {
        guard let stored = configuration.folder.hub(hub.record.id) else { return nil }
        let key = stored.publicKey
        return stored.device ?? hub.view.copy.hub.account.devices.first { $0.key == key?.bytes }?.id
    }

    private func setPrimaryHome(_ home: UUID, by session: AgentSession) throws(HubError) {
        guard hubs.contains(where: { $0.view.copy.hub.homes[home] != nil }) else {
            throw HubError(HomeError(.notFound, "There is no such home."))
        }
        let isNews = state.withLock { state in
            guard state.settings.choices.primary != home else { return false }
            state.settings.choices.primary = home
            state.settings.choices.revision += 1
            return true
        }
        guard isNews else { return }
        try storeSettingsOrThrow()
        for other in sessions { other.choicesDidChange(by: session.id) }
    }

    private func parameters<Value: Decodable>(_ type: Value.Type, _ request: HubRequest) throws(HubError) -> Value {
        do {
            return try MessageJSON.decode(type, from: request.parameters)
        } catch {
            throw HubError(.malformedMessage, "The parameters of \(request.method) are invalid: \(error).")
        }
    }

    private func encoded(_ value: some Encodable) throws(HubError) -> Data {
        do {
            return try MessageJSON.encode(value)
        } catch {
            throw HubError(.hubFailure, "The agent could not write its reply: \(error).")
        }
    }
}

extension JoinedHub {
    /// What people see of the hub.
    fileprivate var description: AgentHubs.Hub {
        let view = view
        return AgentHubs.Hub(
            id: record.id,
            name: record.name,
            key: record.key,
            standing: view.standing,
            homes: view.copy.hub.account.homes.map(\.name),
            problem: view.isNear ? nil : view.error.reason
        )
    }
}

/// Creates the sessions of an app's own socket.
private struct AppSocketAcceptor: RPCSessionAcceptor {
    let agent: Agent
    let app: String

    func acceptConnection(
        on executor: (any TaskExecutor)?,
        deliver: @escaping @Sendable (HubMessage) -> Void
    ) -> any RPCSession {
        agent.accept(as: app, deliver: deliver)
    }
}
