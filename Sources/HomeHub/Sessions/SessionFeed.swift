import Foundation
import HomeModel
import HomeStore
import HubAPI
import Synchronization

/// Sends each session the events that concern it: changes to its user's list of homes, and to the homes in it.
///
/// It subscribes to the activity stream and receives stored changes in order. Its lock is always acquired before the
/// lock of ``LiveState``, never after.
final class SessionFeed: Sendable {
    // This is a class because the stream and every session's start share it.

    /// The number of attempts to resume a client while its homes keep changing.
    private static let resumeTries = 4
    /// The maximum number of missed entries per log. A client that missed more receives the full state.
    private static let resumedEntries = 1_000

    private let store: HomeStore
    private let live: LiveState
    private let sessions: SessionRegistry
    private let hubs: HubTable
    /// The state on disk that has been sent to all sessions.
    private let published: Mutex<HomeDatabase.State>

    /// Creates the feed and subscribes it.
    ///
    /// - Parameters:
    ///   - state: The state on disk, before anything is published.
    ///   - activities: The stream to subscribe to.
    init(
        store: HomeStore,
        live: LiveState,
        sessions: SessionRegistry,
        hubs: HubTable,
        state: HomeDatabase.State,
        activities: ActivityStream
    ) {
        self.store = store
        self.live = live
        self.sessions = sessions
        self.hubs = hubs
        published = Mutex(state)
        activities.subscribe { [weak self] in self?.handle($0) }
    }

    private func handle(_ activity: Activity) {
        switch activity {
        case .stored(let request): send(request)
        case .values(let values): send(values)
        case .reachability(let updates): send(updates)
        case .runs(let updates): send(updates)
        case .asked(let question, let audience):
            sessions.send { $0.watchesQuestions && audience.includes($0) ? .asked(question) : nil }
        case .questionClosed(let id, let audience):
            sessions.send { $0.watchesQuestions && audience.includes($0) ? .questionClosed(id) : nil }
        case .discovered(let accessory):
            sessions.send { $0.isBrowsing ? .discovered(accessory) : nil }
        case .discoveryLost(let id):
            sessions.send { $0.isBrowsing ? .discoveryLost(id) : nil }
        case .repeatedWrites, .failedWrites, .trigger, .held, .scene, .presence, .device, .sync, .hub,
            .said:
            // Sessions see these in the journal.
            break
        }
    }

    // MARK: Full state

    /// Sends a session what it missed, or the full state, and adds it to the sessions that receive events.
    func attach(_ session: HubSession, seen: LogCursors?) async {
        for _ in 0..<Self.resumeTries {
            guard let seen, let missed = await missed(by: session, since: seen) else { break }
            if resume(session, with: missed) { return }
        }
        published.withLock { state in
            live.snapshot { present in
                session.roles = state.roles(of: session.user)
                session.closedHomes = state.closedHomes(to: session)
                session.deliver(.event(.reset(Self.snapshot(state, present, for: session))))
                add(session)
            }
        }
    }

    /// Returns whether this hub is one of two and lacks what a client has seen at the other one. It gets that, and then the
    /// client goes on where it was.
    func isBehind(_ seen: LogCursors, of user: UUID) -> Bool {
        guard hubs.isPaired else { return false }
        return published.withLock { state in
            ([(LogID.account(user), seen.account)] + seen.homes.map { (LogID.home($0), $1) }).contains { log, seen in
                state.revisions[log].map { seen.lineage == state.cursor(log).lineage && seen.revision > $0 } ?? false
            }
        }
    }

    /// Sets the rights of a session of the other hub's client, which receives no events here.
    func setRights(of session: HubSession) {
        published.withLock { state in
            session.roles = state.roles(of: session.user)
            session.closedHomes = state.closedHomes(to: session)
        }
    }

    /// Returns whether a user can change the layout of no home.
    func isGuestEverywhere(_ user: UUID) -> Bool {
        published.withLock { !$0.roles(of: user).roles.contains(where: \.canEditLayout) }
    }

    /// Returns whether a user may use a home from away, in at least one of their homes.
    func mayBeAway(_ user: UUID) -> Bool {
        published.withLock { $0.mayBeAway(user) }
    }

    /// Closes the homes that the users of sessions from away may no longer use from there, and opens those that they may.
    private func updateClosedHomes(_ state: HomeDatabase.State) {
        for session in sessions.all where session.authority.way == .away {
            let closed = state.closedHomes(to: session)
            guard closed != session.closedHomes else { continue }
            session.closedHomes = closed
            // What waits in the session is withdrawn with it. A client comes back for the homes that are left.
            session.revoke(HubSession.notFromAway)
        }
    }

    /// Sends a session the full state if it missed events and can receive them again.
    func refresh(_ session: HubSession) {
        published.withLock { state in
            live.snapshot { present in
                guard session.consumeMissed() else { return }
                session.deliver(.event(.reset(Self.snapshot(state, present, for: session))))
            }
        }
    }

    private func add(_ session: HubSession) {
        sessions.add(session)
        // The session may have closed before it was added.
        if session.isClosed { sessions.remove(session) }
    }

    private static func snapshot(
        _ state: HomeDatabase.State,
        _ present: LiveSnapshot,
        for session: HubSession
    ) -> Snapshot {
        let projection = session.projection
        let homes = session.roles.homes.compactMap { id in
            state.homes[id].map { (id, projection.log($0, at: state.cursor(.home(id)))) }
        }
        let present = present.seen(by: session)
        let user = session.user
        return Snapshot(
            account: projection.log(state.account(of: user), at: state.cursor(.account(user))),
            homes: Dictionary(uniqueKeysWithValues: homes),
            values: present.values,
            reachability: present.reachability,
            runs: present.runs
        )
    }

    // MARK: Changes

    private func send(_ request: StoredRequest) {
        published.withLock { state in
            state = request.state
            for entry in request.entries { send(entry, state) }
            sendRemovedHomes(state)
            updateClosedHomes(state)
        }
    }

    /// Sends an entry to every session that it concerns.
    private func send(_ entry: StoredRequest.Entry, _ state: HomeDatabase.State) {
        let gone = entry.draft.change.removedAccessories
        let removed = entry.draft.change.removedDevices
        var views = EntryViews(entry)
        for session in sessions.all {
            switch entry.draft.log {
            case .account(let user):
                guard session.user == user else { continue }
                session.deliver(.event(views.event(for: session, as: nil)))
                if session.authority.client == .device, removed.contains(session.authority.device) {
                    // The table of devices has changed before, so the device can't come back.
                    let record = RecordID(.accountDevice, session.authority.device)
                    let isBrowser = entry.draft.change.effects.contains(.remove(record))
                    session.revoke(isBrowser ? DeviceManager.signedOut : JoinDesk.removed)
                }
            case .home(let home):
                if !gone.isEmpty { session.withFilter { $0.remove(accessories: gone, in: home) } }
                send(entry, in: home, session, state, &views)
            }
        }
    }

    private func send(
        _ entry: StoredRequest.Entry,
        in home: UUID,
        _ session: HubSession,
        _ state: HomeDatabase.State,
        _ views: inout EntryViews
    ) {
        let role = state.homes[home]?.activeRole(of: session.user)
        switch (session.roles[home], role) {
        case (let former?, let role?):
            session.roles[home] = role
            session.deliver(.event(views.event(for: session, as: role)))
            let projection = session.projection
            // The change of the role doesn't contain what the session may see now, or must not see any longer.
            if projection.seesPlace(as: former) != projection.seesPlace(as: role) { session.resendState() }
        case (nil, let role?):
            sendHome(entry, in: home, session, as: role, state)
        case (_, nil):
            // The session is notified with its list of homes; see sendRemovedHomes(_:).
            break
        }
    }

    /// Sends a home to a session that hasn't seen it: its current state, not its history.
    private func sendHome(
        _ entry: StoredRequest.Entry,
        in id: UUID,
        _ session: HubSession,
        as role: Role,
        _ state: HomeDatabase.State
    ) {
        let isMine = session.isOwn(entry.draft.caller.client)
        guard let homeChange = state.homeChange(of: id, to: session, isMine: isMine) else { return }
        live.snapshot { present in
            session.roles[id] = role
            session.deliver(.event(.change(homeChange)))
            let present = present.seen(by: session, in: id)
            if !present.values.isEmpty { session.deliver(.event(.values(present.values.updates))) }
            if !present.reachability.isEmpty { session.deliver(.event(.reachability(present.reachability))) }
            if !present.runs.isEmpty { session.deliver(.event(.runs(present.runs))) }
        }
    }

    /// Removes homes from the sessions whose users are no longer members.
    private func sendRemovedHomes(_ state: HomeDatabase.State) {
        for session in sessions.all {
            for home in session.roles.homes where state.homes[home]?.activeRole(of: session.user) == nil {
                session.roles[home] = nil
                session.withFilter { $0.remove(home: home) }
                session.deliver(.event(.homeGone(home)))
            }
        }
    }

    // MARK: Values and reachability

    private func send(_ values: [ValueActivity]) {
        guard !values.isEmpty else { return }
        // Most sessions see all of them, and share the event.
        let event = HubEvent.values(values.map(\.update))
        for session in sessions.all { session.deliver(values, as: event) }
    }

    private func send(_ updates: [ReachabilityUpdate]) {
        sessions.send { session in
            let roles = session.liveRoles
            let visible = updates.filter { roles.contains($0.home) }
            return visible.isEmpty ? nil : .reachability(visible)
        }
    }

    private func send(_ updates: [RunUpdate]) {
        sessions.send { session in
            let roles = session.liveRoles
            let visible = updates.filter { roles.contains($0.home) }
            return visible.isEmpty ? nil : .runs(visible)
        }
    }

    // MARK: Resuming

    /// The events that a client missed.
    private struct Missed {
        /// The events, in the order in which the client would have received them.
        var events: [HubEvent]
        /// The position in each log after these events.
        var reached: LogCursors
    }

    /// Resumes a session, unless its homes have changed since the missed events were read.
    private func resume(_ session: HubSession, with missed: Missed) -> Bool {
        published.withLock { state in
            guard missed.reached == state.seen(by: session.user) else { return false }
            live.snapshot { present in
                session.roles = state.roles(of: session.user)
                session.closedHomes = state.closedHomes(to: session)
                for event in missed.events { session.deliver(.event(event)) }
                session.deliver(.event(.resumed(present.seen(by: session))))
                add(session)
            }
            return true
        }
    }

    /// Returns the events that a client missed; `nil` if it must receive the full state.
    private func missed(by session: HubSession, since seen: LogCursors) async -> Missed? {
        let state = published.withLock { $0 }
        let user = session.user
        let roles = state.roles(of: user)
        var changes: [LogChange] = []
        // These are homes that the user lost and regained. The changes in between are private.
        var regained: Set<UUID> = []
        for (home, role) in roles {
            guard let place = seen.homes[home] else { continue }
            guard let entries = await entries(of: .home(home), after: place, in: state) else { return nil }
            if entries.contains(where: { $0.change.removes(user: user) }) {
                regained.insert(home)
            } else if session.projection.kind.isPerson, entries.contains(where: { $0.change.updates(user: user) }) {
                // With another role, the user sees another part of the home.
                return nil
            } else {
                changes += entries.map { $0.change(to: session, as: role) }
            }
        }
        guard let entries = await entries(of: .account(user), after: seen.account, in: state) else { return nil }
        let news = entries.map { $0.change(to: session, as: nil) }

        // A home that is new to the user is sent in its current state, because its history is private.
        let own = Set(news.filter(\.isMine).flatMap(\.change.subjects))
        var homeChanges: [UUID: LogChange] = [:]
        for home in roles.homes where seen.homes[home] == nil || regained.contains(home) {
            homeChanges[home] = state.homeChange(of: home, to: session, isMine: own.contains(home))
        }
        var reached = LogCursors(account: seen.account, homes: seen.homes.filter { roles.contains($0.key) })
        for change in changes + homeChanges.values + news { reached.follow(change) }

        var events = changes.map(HubEvent.change)
        events += homeChanges.filter { !regained.contains($0.key) }.values.map(HubEvent.change)
        // A regained home is removed and added again at the point where the user's list of homes lost it.
        let losses = Dictionary(grouping: regained) { home in news.lastIndex { $0.change.removes(home: home) } ?? -1 }
        for index in -1..<news.count {
            if index >= 0 { events.append(.change(news[index])) }
            for home in losses[index] ?? [] {
                events.append(.homeGone(home))
                if let homeChange = homeChanges[home] { events.append(.change(homeChange)) }
            }
        }
        events += seen.homes.keys.filter { !roles.contains($0) }.map(HubEvent.homeGone)
        return Missed(events: events, reached: reached)
    }

    /// Returns the entries of a log after a cursor that other sessions have received; `nil` if there are too many, or
    /// if the cursor is of another log. Later entries on disk will be sent to this session together with the others.
    private func entries(
        of log: LogID,
        after cursor: LogCursor,
        in state: HomeDatabase.State
    ) async -> [MissedEntry]? {
        let entries = try? await store.entries(of: log, after: cursor, limit: Self.resumedEntries)
        let last = state.revisions[log] ?? 0
        return try? entries?.filter { $0.entry.revision <= last }.map { stored in
            MissedEntry(
                log: log,
                cursor: LogCursor(lineage: stored.entry.lineage, revision: stored.entry.revision),
                client: stored.entry.caller.client,
                change: try stored.entry.change()
            )
        }
    }
}

/// An entry that a client missed.
private struct MissedEntry {
    var log: LogID
    var cursor: LogCursor
    /// The session that requested the change.
    var client: UUID
    var change: Change

    /// Returns the change in the form that a session receives.
    ///
    /// - Parameter role: The user's role in the log's home; `nil` for the user's own log.
    func change(to session: HubSession, as role: Role?) -> LogChange {
        session.projection.change(change, in: log, at: cursor, as: role, isMine: session.isOwn(client))
    }
}

extension Change {
    /// Returns whether a user isn't a member after the change, although they may have been before.
    fileprivate func removes(user: UUID) -> Bool {
        effects.contains { effect in
            switch effect {
            case .put(.user(let record)): record.id == user && record.isSuspended
            case .put: false
            case .remove(let id): id == RecordID(.user, user)
            }
        }
    }

    /// Returns whether the change puts a user's record.
    fileprivate func updates(user: UUID) -> Bool {
        effects.contains { if case .put(.user(let record)) = $0 { record.id == user } else { false } }
    }

    /// Returns whether the change removes a home from a user's list of homes.
    fileprivate func removes(home: UUID) -> Bool {
        effects.contains(.remove(RecordID(.accountHome, home)))
    }
}

extension HomeDatabase.State {
    /// Returns the homes of which a user is a member, with the user's role in each.
    fileprivate func roles(of user: UUID) -> HomeRoles {
        HomeRoles(homes.compactMap { id, home in home.activeRole(of: user).map { (id, $0) } })
    }

    /// Returns whether a user may use a home from away, in at least one of their homes.
    func mayBeAway(_ user: UUID) -> Bool {
        roles(of: user).homes.contains { homes[$0]?.users[id: user]?.mayBeAway == true }
    }

    /// Returns the homes that a session can't use because it is from away.
    fileprivate func closedHomes(to session: HubSession) -> Set<UUID> {
        guard session.authority.way == .away else { return [] }
        return Set(roles(of: session.user).homes.filter { homes[$0]?.users[id: session.user]?.mayBeAway != true })
    }

    /// Returns the position in each log that all of a user's sessions have reached.
    fileprivate func seen(by user: UUID) -> LogCursors {
        let homes = roles(of: user).homes.map { ($0, cursor(.home($0))) }
        return LogCursors(account: cursor(.account(user)), homes: Dictionary(uniqueKeysWithValues: homes))
    }

    /// Returns the change that brings a session a home at its current revision.
    fileprivate func homeChange(of id: UUID, to session: HubSession, isMine: Bool) -> LogChange? {
        homes[id].map { session.projection.homeChange(of: $0, at: cursor(.home(id)), isMine: isMine) }
    }
}

extension LiveSnapshot {
    /// Returns the part that a session may see, in one home or all.
    fileprivate func seen(by session: HubSession, in home: UUID? = nil) -> LiveSnapshot {
        let roles = session.liveRoles
        func isSeen(_ id: UUID) -> Bool { roles.contains(id) && (home == nil || home == id) }
        return LiveSnapshot(
            values: values.filter(isSeen),
            reachability: reachability.filter { isSeen($0.home) },
            runs: runs.filter { isSeen($0.home) }
        )
    }
}

/// An entry as sessions see it. Sessions that see the same share the event.
private struct EntryViews {
    private struct Viewer: Hashable {
        var user: UUID
        var app: String
        var kind: SessionKind
        var role: Role?
        var isMine: Bool
    }

    private let entry: StoredRequest.Entry
    private var events: [Viewer: HubEvent] = [:]

    init(_ entry: StoredRequest.Entry) {
        self.entry = entry
    }

    /// Returns the event for a session whose user has a role.
    mutating func event(for session: HubSession, as role: Role?) -> HubEvent {
        let projection = session.projection
        let isMine = session.isOwn(entry.draft.caller.client)
        let viewer = Viewer(
            user: projection.user,
            app: projection.app,
            kind: projection.kind,
            role: role,
            isMine: isMine
        )
        if let event = events[viewer] { return event }
        let change = projection.change(
            entry.draft.change,
            in: entry.draft.log,
            at: entry.cursor,
            as: role,
            isMine: isMine
        )
        let event = HubEvent.change(change)
        events[viewer] = event
        return event
    }
}
