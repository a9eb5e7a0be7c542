package import Foundation
import Glibc
import HomeIdentity
import HomeModel
package import HubAPI
import HubClient
package import LocalRPC
import Logging
import Synchronization

/// Serves a device's apps and commands in the place of the hubs that the device has joined.
///
/// With a hub in reach, each session has a connection of its own there. Out of reach, it is served from the copy.
package final class Agent: RPCSessionAcceptor {
    // This is a class because it is one running agent, which stops once.

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
        /// The commands whose outcome isn't known.
        var lost = LostCommands()
        /// The vault that was fetched last.
        var vault: (id: UUID, file: Data)?
        var isStopped = false
    }

    let configuration: Configuration
    let log: Logger
    let state: Mutex<State>
    private let appSockets = Mutex<AppSockets?>(nil)
    /// Held while the commands whose outcome isn't known are stored, so that an older list doesn't replace a newer one.
    let commandFile = Mutex(())

    /// Starts an agent.
    ///
    /// - Throws: ``HubError`` with `storeFailure` if what it has stored can't be read.
    package init(_ configuration: Configuration) throws(HubError) {
        self.configuration = configuration
        log = configuration.log
        let settings = try configuration.folder.settings()
        var lost = LostCommands()
        for stored in configuration.folder.lostCommands() {
            _ = lost.add(LostCommand(stored, at: configuration.now(), RunningClock.now))
        }
        let remembered = RememberedSessions(configuration.folder.rememberedSessions())
        let entries = remembered.entries
        if !entries.isEmpty { try? configuration.folder.store(entries) }
        state = Mutex(
            State(
                settings: settings,
                remembered: remembered,
                rememberedLines: entries.count,
                introductions: Introductions(done: settings.introductions),
                lost: lost
            )
        )
        for command in lost.all { countAnswerTime(of: command) }
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

    func openSockets() throws(HubError) -> AppSockets {
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
    /// The pause between two checks that a quiet hub is still there.
    var heartbeat: Duration { configuration.heartbeat }

    /// The hubs as sessions see them.
    var view: SessionView {
        SessionView(
            load: { [self] in hubs.map(\.view) },
            choices: { [self] in state.withLock { $0.settings.choices } },
            notices: { [self] in takeNotices() },
            questions: { [self] in state.withLock { $0.consent.questions } },
            former: { [self] in former($0, at: $1) },
            lost: { [self] key in state.withLock { $0.lost[key] } },
            now: { RunningClock.now }
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

    /// Goes on with a hub on this network, where it was found while its relay led to it.
    package func moveNear(_ id: UUID) { hub(id)?.moveNear() }

    /// Returns a joined hub.
    func hub(_ id: UUID) -> JoinedHub? {
        state.withLock { state in state.hubs.first { $0.record.id == id } }
    }

    /// Adds a hub to the list, unless it is there. It isn't started.
    func add(_ stored: StoredHub) -> JoinedHub? {
        let hub = JoinedHub(
            JoinedHub.Record(id: stored.id, name: stored.name, key: stored.key),
            copy: configuration.folder.copyPath(of: stored.id),
            feed: feed(of: stored),
            version: configuration.version,
            retry: configuration.retry,
            heartbeat: configuration.heartbeat,
            now: configuration.now,
            log: log,
            way: { [network = configuration.network] in network.way(stored.id) },
            isOneOfTwo: { [network = configuration.network] in network.isOneOfTwo(stored.id) },
            transport: { [network = configuration.network] in network.transport(stored, $0) }
        )
        let isAdded = state.withLock { state in
            guard !state.isStopped, !state.hubs.contains(where: { $0.record.id == stored.id }) else { return false }
            state.hubs.append(hub)
            return true
        }
        return isAdded ? hub : nil
    }

    /// Returns the device's keys for a hub's feed; `nil` if they can't be stored or read. Where the feed is leads to the hub
    /// from away, too; until it is known, the door through which the device came does.
    private func feed(of stored: StoredHub) -> JoinedHub.FeedSource? {
        let (folder, network, log, hub) = (configuration.folder, configuration.network, log, stored.id)
        do throws(HubError) {
            let settings = try folder.feedSettings(of: hub)
            network.setAway(hub, AwayPlace(settings) ?? stored.door.map { AwayPlace($0) })
            let store: @Sendable (FeedSettings) -> Void = { settings in
                network.setAway(hub, AwayPlace(settings) ?? folder.hub(hub)?.door.map { AwayPlace($0) })
                do throws(HubError) {
                    try folder.store(settings, of: hub)
                } catch {
                    log.error("The place of a feed can't be stored.", metadata: ["reason": "\(error.reason)"])
                }
            }
            let hubs: @Sendable () -> [HubMember] = {
                guard let list = folder.hub(hub)?.hubs else { return [] }
                return (try? SignedHubList(Array(list)))?.list.members ?? []
            }
            return JoinedHub.FeedSource(settings: settings, store: store, hubs: hubs) {
                [weak self] (lists) throws(HubListError) in
                let change = try network.takeLists(lists, hub)
                self?.hubsDidChange(change, of: hub)
            }
        } catch {
            log.error("A hub's feed can't be read.", metadata: ["reason": "\(error.reason)"])
            return nil
        }
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
            askAboutCommands(at: id)
            introduce { introductions, hubs in introductions.arrived(at: id, hubs) + introductions.pending(hubs) }
        case .confirmed:
            // Sessions that couldn't be opened, although the hub is there, try again.
            for session in sessions { session.hubDidChange(id) }
            askAboutCommands(at: id)
        case .changing:
            log.info("The other hub of the homes is tried.", metadata: ["hub": "\(hub(id)?.record.name ?? "")"])
            for session in sessions { session.hubDidChange(id) }
        case .failed:
            recordTry(of: id)
        case .devices:
            introduce { introductions, hubs in introductions.pending(hubs, over: id) }
        case .message(let message):
            let peer = Introductions.Peer(hub: id, device: message.from)
            introduce { introductions, hubs in introductions.received(message.body, from: peer, hubs) }
        case .hubs(let list):
            take(list, of: id)
        case .fed(let news):
            for session in sessions { session.hubTold(id, news) }
        case .away(let error):
            log.info("A hub is out of reach.", metadata: ["reason": "\(error.reason)"])
            for session in sessions { session.hubDidChange(id) }
        case .removed(let error):
            log.warning("This device was removed from a hub.", metadata: ["reason": "\(error.reason)"])
            // Who leaves is answered first.
            guard !state.withLock({ $0.leaving.contains(id) }) else { return }
            // The hub's own queue can't wait for its end.
            let label = hubs.first { $0.record.id == id }?.view.homeLabel
            let notice = label.map { "This device was removed from \($0). Ask for an invitation to add it again." }
            Task { self.remove(id, notice: notice ?? error.reason) }
        }
    }

    /// Pins the hubs of a list that a joined hub has told.
    private func take(_ list: [UInt8], of id: UUID) {
        do throws(HubListError) {
            hubsDidChange(try configuration.network.take(list, id), of: id)
        } catch {
            log.warning("A list of hubs is not believed.", metadata: ["reason": "\(error.message)"])
        }
    }

    /// Handles that the device believes other hubs of the homes of a joined hub than before.
    private func hubsDidChange(_ change: PinnedHubs.Change, of id: UUID) {
        guard change != PinnedHubs.Change() else { return }
        log.info("The hubs of the homes are others now.", metadata: ["hub": "\(hub(id)?.record.name ?? "")"])
        // The session may be with a hub that left.
        if !change.unpinned.isEmpty { moveNear(id) }
        if !change.pinned.isEmpty { wake(id) }
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
            if let notice, !state.leaving.contains(id) { state.settings.addNotice(notice) }
            state.lost.forget(id)
            state.leaving.remove(id)
            state.removing.remove(id)
            state.introductions.forget(id)
            state.settings.introductions = state.introductions.done
            state.hubs.removeAll { $0.record.id == id }
        }
        storeSettings()
        storeCommands()
        for session in sessions { session.hubIsGone(id, homes: homes) }
        // The list of homes is another one now.
        for session in sessions { session.restart() }
    }

    /// Tells the person something, with the next answer to a command of theirs.
    func tell(_ notice: String) {
        state.withLock { $0.settings.addNotice(notice) }
        storeSettings()
    }

    func takeNotices() -> [String] {
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
