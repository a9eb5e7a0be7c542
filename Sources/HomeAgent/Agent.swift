package import Foundation
import HomeModel
package import HubAPI
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
        package var join: @Sendable (JoinHub) async throws(HubError) -> (hub: StoredHub, digits: String?)
        /// Releases what was opened for a hub that the device has left.
        package var forget: @Sendable (UUID) -> Void

        /// Creates a network.
        package init(
            transport: @escaping @Sendable (StoredHub, _ isOwn: Bool) -> any HubTransport,
            join: @escaping @Sendable (JoinHub) async throws(HubError) -> (hub: StoredHub, digits: String?),
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
            now: @escaping @Sendable () -> Date = { Date() },
            log: Logger = Logger(label: "hearth.agent")
        ) {
            self.folder = folder
            self.network = network
            self.version = version
            self.retry = retry
            self.greetingTimeout = greetingTimeout ?? AgentLimits.greetingTimeout
            self.now = now
            self.log = log
        }
    }

    private struct State {
        var hubs: [JoinedHub] = []
        var sessions: [UUID: AgentSession] = [:]
        var settings: AgentSettings
        /// The connections to hubs that did the work of sessions, for the retries of their clients.
        var former: [UUID: [UUID: PreviousConnection]] = [:]
        /// The sessions in `former`, in their order.
        var formerOrder: [UUID] = []
        /// The hubs that the device is leaving, which may say that they have removed it.
        var leaving: Set<UUID> = []
        var isStopped = false
    }

    private let configuration: Configuration
    private let log: Logger
    private let state: Mutex<State>

    /// Starts an agent.
    ///
    /// - Throws: ``HubError`` with `storeFailure` if what it has stored can't be read.
    package init(_ configuration: Configuration) throws(HubError) {
        self.configuration = configuration
        log = configuration.log
        let settings = try configuration.folder.settings()
        // The lineage of the list of homes must last.
        try configuration.folder.store(settings)
        state = Mutex(State(settings: settings))
        for stored in try configuration.folder.hubs() {
            if let hub = add(stored) { start(hub) }
        }
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
        let session = AgentSession(of: self, deliver: deliver)
        state.withLock { $0.sessions[session.id] = session }
        return session
    }

    func remove(_ session: AgentSession) {
        _ = state.withLock { $0.sessions.removeValue(forKey: session.id) }
    }

    private var sessions: [AgentSession] { state.withLock { Array($0.sessions.values) } }

    /// The time that a hub has to answer a new connection.
    var greetingTimeout: Duration { configuration.greetingTimeout }

    /// The hubs as sessions see them.
    var view: SessionView {
        SessionView(
            load: { [self] in hubs.map(\.view) },
            choices: { [self] in state.withLock { $0.settings.choices } },
            notices: { [self] in takeNotices() },
            former: { [self] in former($0, at: $1) }
        )
    }

    /// Remembers which connection to a hub did the work of a session.
    func remember(_ connection: PreviousConnection, of session: UUID, at hub: UUID) {
        state.withLock { state in
            if state.former[session] == nil { state.formerOrder.append(session) }
            state.former[session, default: [:]][hub] = connection
            if state.formerOrder.count > AgentLimits.rememberedSessions {
                state.former[state.formerOrder.removeFirst()] = nil
            }
        }
    }

    private func former(_ previous: PreviousConnection, at hub: UUID) -> FormerConnection {
        state.withLock { state in
            guard let connections = state.former[previous.client] else { return .unknown }
            return connections[hub].map(FormerConnection.known) ?? .none
        }
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
    private func add(_ stored: StoredHub) -> JoinedHub? {
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

    private func start(_ hub: JoinedHub) {
        let id = hub.record.id
        hub.start { [weak self] in self?.hubDidChange(id, $0) }
    }

    private func hubDidChange(_ id: UUID, _ change: JoinedHub.Change) {
        switch change {
        case .near:
            log.info("A hub is in reach.", metadata: ["hub": "\(hub(id)?.record.name ?? "")"])
            for session in sessions { session.hubDidChange(id) }
        case .away(let error):
            log.info("A hub is out of reach.", metadata: ["reason": "\(error.reason)"])
            for session in sessions { session.hubDidChange(id) }
        case .removed(let error):
            log.warning("This device was removed from a hub.", metadata: ["reason": "\(error.reason)"])
            // The hub's own queue can't wait for its end.
            Task { self.remove(id, notice: error.reason) }
        }
    }

    private func remove(_ id: UUID, notice: String?) {
        let hub = state.withLock { state -> JoinedHub? in
            guard let index = state.hubs.firstIndex(where: { $0.record.id == id }) else { return nil }
            if let notice, !state.leaving.contains(id) {
                state.settings.notices = Array((state.settings.notices + [notice]).suffix(AgentLimits.notices))
            }
            state.leaving.remove(id)
            return state.hubs.remove(at: index)
        }
        guard let hub else { return }
        let homes = Array(hub.view.copy.hub.homes.keys)
        hub.stop()
        configuration.folder.remove(id)
        configuration.network.forget(id)
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

    private func storeSettings() {
        do throws(HubError) {
            try storeSettingsOrThrow()
        } catch {
            log.error("The agent's settings can't be stored.", metadata: ["reason": "\(error.reason)"])
        }
    }

    private func storeSettingsOrThrow() throws(HubError) {
        try configuration.folder.store(state.withLock { $0.settings })
    }

    // MARK: Apps

    /// Returns why an app may not use the homes on this device; `nil` if it may.
    func refusal(of hello: Hello) -> HubError? {
        do throws(HubError) {
            guard try AppAdmission.check(hello) else { return nil }
        } catch {
            return error
        }
        let isAllowed = state.withLock { $0.settings.apps.first { $0.id == hello.app }?.isAllowed }
        return isAllowed == false ? AppAdmission.denial(of: hello.app) : nil
    }

    private func apps() -> Apps {
        var connected: [String: String] = [:]
        for session in sessions {
            guard let hello = session.hello, !HubProtocol.isOwnApp(hello.app) else { continue }
            connected[hello.app] = hello.purpose.sanitized(maximumLength: HomeLimits.purposeLength)
        }
        let decided = state.withLock { $0.settings.apps }.map { app in
            Apps.App(
                id: app.id,
                purpose: connected[app.id] ?? app.purpose,
                isAllowed: app.isAllowed,
                isConnected: connected.removeValue(forKey: app.id) != nil
            )
        }
        let others = connected.sorted { $0.key < $1.key }
        return Apps(
            apps: decided + others.map { Apps.App(id: $0.key, purpose: $0.value, isAllowed: nil, isConnected: true) }
        )
    }

    private func decide(_ id: String, _ isAllowed: Bool) throws(HubError) {
        try AppAdmission.checkDecision(about: id)
        let limit = HomeLimits.appIdentifierLength
        guard !id.isEmpty, id.sanitized(maximumLength: limit) == id else {
            let reason = "An app's identifier can have at most \(limit) printable characters."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        let purpose = apps().apps.first { $0.id == id }?.purpose ?? ""
        let isDone = state.withLock { state in
            let app = AgentSettings.App(id: id, purpose: purpose, isAllowed: isAllowed)
            if let index = state.settings.apps.firstIndex(where: { $0.id == id }) {
                state.settings.apps[index] = app
            } else {
                guard state.settings.apps.count < AgentLimits.apps else { return false }
                state.settings.apps.append(app)
            }
            return true
        }
        guard isDone else {
            let reason =
                "This device has \(AgentLimits.apps) decisions about apps. Forget some with “hearth app forget”."
            throw HubError(HomeError(.limitExceeded, reason))
        }
        try storeSettingsOrThrow()
        log.info(isAllowed ? "An app was allowed." : "An app was denied.", metadata: ["app": "\(id)"])
        guard !isAllowed else { return }
        for session in sessions where session.hello?.app == id { session.close(AppAdmission.denial(of: id)) }
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
                return try (.success(encoded(apps())), {})
            case HubMethods.allowApp.name:
                try decide(parameters(AppTarget.self, request).id, true)
            case HubMethods.denyApp.name:
                try decide(parameters(AppTarget.self, request).id, false)
            case HubMethods.forgetApp.name:
                let id = try parameters(AppTarget.self, request).id
                state.withLock { $0.settings.apps.removeAll { $0.id == id } }
                try storeSettingsOrThrow()
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
        let (hub, digits) = try await configuration.network.join(parameters)
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
        if hub.view.isNear, let stored = try configuration.folder.hubs().first(where: { $0.id == hub.record.id }) {
            // If the hub can't be told, the device stays in its list until somebody removes it there.
            _ = state.withLock { $0.leaving.insert(hub.record.id) }
            _ = try? await hub.call(HubMethods.removeDevice, RemoveDevice(id: stored.device))
        }
        return { [self] in remove(hub.record.id, notice: nil) }
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
