import Foundation
import HomeModel
import HomeStore
import HubAPI

/// What sessions are told: each its own user's list of homes, and the homes that this user has a part in.
extension HomeDatabase {
    /// How often a client's return is tried while others go on changing its homes.
    private static let resumeTries = 4
    /// The most entries of one log that a client is told one by one; after more it is told everything anew.
    private static let resumedEntries = 1_000

    // MARK: Everything

    /// Tells a session what it has not seen, or everything, and adds it to those that are told of changes.
    func attach(_ session: HubSession, seen: SeenLogs?) async {
        let missed = if let seen { await missed(by: session, since: seen) } else { nil as [HubEvent]? }
        live.snapshot { present in
            session.roles = roles(of: session.user)
            if let missed {
                for event in missed { session.deliver(.event(event)) }
                session.deliver(.event(.resumed(present.seen(by: session))))
            } else {
                session.deliver(.event(.reset(snapshot(present, for: session))))
            }
            sessions.add(session)
            // Its end may have come before it was added.
            if session.isClosed { sessions.remove(session) }
        }
    }

    /// Tells a session everything anew if it has missed anything and listens again.
    func refresh(_ session: HubSession) {
        live.snapshot { present in
            if session.takeMissed() { session.deliver(.event(.reset(snapshot(present, for: session)))) }
        }
    }

    private func snapshot(_ present: Present, for session: HubSession) -> Snapshot {
        let account = LogID.account(session.user)
        let homes = session.roles.keys.compactMap { id in
            stored.homes[id].map { (id, Snapshot.Log(cursor(.home(id)), $0.records)) }
        }
        let present = present.seen(by: session)
        return Snapshot(
            account: Snapshot.Log(cursor(account), stored.account(of: session.user).records, user: session.user),
            homes: Dictionary(uniqueKeysWithValues: homes),
            values: present.values,
            reachability: present.reachability
        )
    }

    private func roles(of user: UUID) -> [UUID: Role] {
        stored.homes.compactMapValues { $0.presentRole(of: user) }
    }

    private func cursor(_ log: LogID) -> LogCursor {
        // A log without an entry has no lineage yet; its user's identity does not leave the hub.
        LogCursor(lineage: lineages[log] ?? UUID(), revision: stored.revisions[log] ?? 0)
    }

    // MARK: Changes

    /// Tells of an entry everyone whom it concerns.
    ///
    /// - Parameter client: The session that asked for it.
    func tell(_ draft: EntryDraft, by client: UUID) {
        var change = LogChange(
            home: nil,
            lineage: cursor(draft.log).lineage,
            revision: draft.expectedRevision + 1,
            change: draft.change,
            isMine: false
        )
        switch draft.log {
        case .account(let user):
            for session in sessions.all where session.user == user {
                change.isMine = session.isOwn(client)
                session.deliver(.event(.change(change)))
            }
        case .home(let home):
            change.home = home
            for session in sessions.all {
                change.isMine = session.isOwn(client)
                tell(change, in: home, session)
            }
        }
    }

    private func tell(_ change: LogChange, in home: UUID, _ session: HubSession) {
        let role = stored.homes[home]?.presentRole(of: session.user)
        switch (session.roles[home], role) {
        case (_?, let role?):
            session.roles[home] = role
            session.deliver(.event(.change(change)))
        case (nil, let role?):
            arrive(change, in: home, session, as: role)
        case (_, nil):
            // Told with its list of homes; see tellOfLostHomes().
            break
        }
    }

    /// Shows a home to a session that did not see it before: as it is, not how it became so.
    private func arrive(_ change: LogChange, in id: UUID, _ session: HubSession, as role: Role) {
        guard let arrival = arrival(of: id, isMine: change.isMine) else { return }
        live.snapshot { present in
            session.roles[id] = role
            session.deliver(.event(.change(arrival)))
            let present = present.seen(by: session, in: id)
            if !present.values.isEmpty { session.deliver(.event(.values(present.values.updates))) }
            if !present.reachability.isEmpty { session.deliver(.event(.reachability(present.reachability))) }
        }
    }

    /// A change that brings all of a home at its present revision.
    private func arrival(of id: UUID, isMine: Bool) -> LogChange? {
        guard let home = stored.homes[id] else { return nil }
        let place = cursor(.home(id))
        let change = Change(verb: .homeCreated, subjects: [id], effects: home.records.map(Effect.put))
        return LogChange(home: id, lineage: place.lineage, revision: place.revision, change: change, isMine: isMine)
    }

    /// Takes homes away from the sessions whose users have no part in them any more.
    func tellOfLostHomes() {
        for session in sessions.all {
            for home in session.roles.keys where stored.homes[home]?.presentRole(of: session.user) == nil {
                session.roles[home] = nil
                session.deliver(.event(.homeGone(home)))
            }
        }
    }

    // MARK: Resuming

    /// What a client has missed, in the order in which it would have heard of it; nil if it is to be told everything
    /// anew. Up to date when it returns.
    private func missed(by session: HubSession, since seen: SeenLogs) async -> [HubEvent]? {
        let user = session.user
        for _ in 0..<Self.resumeTries {
            var changes: [LogChange] = []
            var reached = SeenLogs(account: seen.account, homes: [:])
            for home in roles(of: user).keys {
                guard let place = seen.homes[home] else { continue }
                guard let news = await self.changes(of: .home(home), home: home, after: place, for: session)
                else { return nil }
                reached.homes[home] = place
                changes += news
            }
            guard let news = await self.changes(of: .account(user), home: nil, after: seen.account, for: session)
            else { return nil }
            // A home that is new to the user is shown as it is; what was in it before is not theirs to know.
            let own = Set(news.filter(\.isMine).flatMap(\.change.subjects))
            changes += roles(of: user).keys.filter { seen.homes[$0] == nil }.compactMap { home in
                arrival(of: home, isMine: own.contains(home))
            }
            changes += news
            // What is on disk already and not told to anybody yet will be told to this session with all others.
            changes.removeAll { change in
                change.revision > (stored.revisions[change.home.map(LogID.home) ?? .account(user)] ?? 0)
            }
            for change in changes { reached.follow(change) }
            guard reached == place(of: user) else { continue }
            let gone = seen.homes.keys.filter { reached.homes[$0] == nil }
            return changes.map(HubEvent.change) + gone.map(HubEvent.homeGone)
        }
        return nil
    }

    private func changes(
        of log: LogID,
        home: UUID?,
        after cursor: LogCursor,
        for session: HubSession
    ) async -> [LogChange]? {
        let entries = try? await store.entries(of: log, after: cursor, limit: Self.resumedEntries)
        return try? entries?.map { stored in
            LogChange(
                home: home,
                lineage: stored.entry.lineage,
                revision: stored.entry.revision,
                change: try stored.entry.change(),
                isMine: session.isOwn(stored.entry.caller.client)
            )
        }
    }

    /// How far everyone of that user has been told.
    private func place(of user: UUID) -> SeenLogs {
        let homes = roles(of: user).keys.map { ($0, cursor(.home($0))) }
        return SeenLogs(account: cursor(.account(user)), homes: Dictionary(uniqueKeysWithValues: homes))
    }
}

extension Present {
    /// The part of it that a session may see, in one home or all.
    fileprivate func seen(by session: HubSession, in home: UUID? = nil) -> Present {
        let roles = session.roles
        func isSeen(_ id: UUID) -> Bool { roles[id] != nil && (home == nil || home == id) }
        return Present(
            values: values.filter(isSeen),
            reachability: reachability.filter { isSeen($0.home) }
        )
    }
}
