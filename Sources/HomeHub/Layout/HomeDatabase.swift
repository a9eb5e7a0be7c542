import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// The owner of the homes' state in this hub: decides requests, has them stored, and tells the clients.
///
/// A request is decided at once against the newest state, which includes what is still on its way to the disk. One task
/// drains the decided changes, many in one transaction; only what is stored is told to anyone. If the store refuses,
/// everything that waits is refused with it and the state is again what is on disk.
actor HomeDatabase {
    /// The state of the logs at one revision each.
    private struct State {
        var account: Account
        var accountRevision: Int
        var homes: [UUID: Home] = [:]
        var revisions: [UUID: Int] = [:]
    }

    /// One request's entries, which are stored together or not at all.
    private struct Decided {
        var drafts: [EntryDraft]
        var removedHome: UUID?
        var client: UUID
        var commitment: Commitment
    }

    private let store: HomeStore
    private let live: LiveState
    private let sessions: SessionRegistry
    private let user: UserRecord
    private let now: @Sendable () -> Date
    private let log: Logger

    private var stored: State
    private var newest: State
    private var lineages: [LogID: UUID]
    private var decided: [Decided] = []
    private var isDraining = false

    init(
        store: HomeStore,
        live: LiveState,
        sessions: SessionRegistry,
        user: UserRecord,
        now: @escaping @Sendable () -> Date,
        log: Logger
    ) async throws {
        self.store = store
        self.live = live
        self.sessions = sessions
        self.user = user
        self.now = now
        self.log = log
        var state = State(account: Account(user: user.id), accountRevision: 0)
        var lineages: [LogID: UUID] = [:]
        for id in try await store.logs() {
            guard let stored = try await store.load(id) else { continue }
            lineages[id] = stored.cursor.lineage
            switch id {
            case .account(user.id):
                state.account = Account(user: user.id, records: stored.records)
                state.accountRevision = stored.cursor.revision
            case .account:
                continue
            case .home(let home):
                state.homes[home] = Home(id: home, records: stored.records)
                state.revisions[home] = stored.cursor.revision
            }
        }
        stored = state
        newest = state
        self.lineages = lineages
    }

    // MARK: Reading

    /// The newest state of a home.
    func home(_ id: UUID) throws(HubError) -> Home {
        guard newest.account.homes.contains(where: { $0.id == id }), let home = newest.homes[id] else {
            throw HubError(HomeError(.notFound, "There is no such home."))
        }
        return home
    }

    /// All homes.
    var homes: [Home] { Array(newest.homes.values) }

    /// Tells a session what it has not seen, or everything, and adds it to those that are told of changes.
    func attach(_ session: HubSession, seen: SeenLogs?) async {
        let missed = if let seen { await missed(since: seen) } else { nil as [HubEvent]? }
        live.snapshot { present in
            if let missed {
                for event in missed { session.deliver(.event(event)) }
                session.deliver(.event(.resumed(present)))
            } else {
                session.deliver(.event(.reset(snapshot(present))))
            }
            sessions.add(session)
            // Its end may have come before it was added.
            if session.isClosed { sessions.remove(session) }
        }
    }

    /// Tells a session everything anew if it has missed anything and listens again.
    func refresh(_ session: HubSession) {
        live.snapshot { present in
            if session.takeMissed() { session.deliver(.event(.reset(snapshot(present)))) }
        }
    }

    private func snapshot(_ present: Present) -> Snapshot {
        let homes = stored.homes.map { id, home in
            (id, Snapshot.Log(cursor(.home(id), at: stored.revisions[id] ?? 0), home.records))
        }
        return Snapshot(
            account: Snapshot.Log(cursor(accountLog, at: stored.accountRevision), stored.account.records),
            homes: Dictionary(uniqueKeysWithValues: homes),
            values: present.values,
            reachability: present.reachability
        )
    }

    /// The log of the hub's user.
    private var accountLog: LogID { .account(user.id) }

    private func cursor(_ log: LogID, at revision: Int) -> LogCursor {
        // A log without an entry has no lineage yet; its user's identity does not leave the hub.
        LogCursor(lineage: lineages[log] ?? UUID(), revision: revision)
    }

    // MARK: Resuming

    /// How often a client's return is tried while others go on changing its homes.
    private static let resumeTries = 4
    /// The most entries of one log that a client is told one by one; after more it is told everything anew.
    private static let resumedEntries = 1_000

    /// What a client has missed, in the order in which it would have heard of it; nil if it is to be told everything
    /// anew. Up to date when it returns.
    private func missed(since seen: SeenLogs) async -> [HubEvent]? {
        for _ in 0..<Self.resumeTries {
            let homes = stored.homes.keys.map { home in
                (home, seen.homes[home] ?? cursor(.home(home), at: 0))
            }
            var changes: [LogChange] = []
            for (home, cursor) in homes {
                guard let news = await self.changes(of: .home(home), home: home, after: cursor) else { return nil }
                changes += news
            }
            guard let news = await self.changes(of: accountLog, home: nil, after: seen.account) else { return nil }
            changes += news
            // What is on disk already and not told to anybody yet will be told to this session with all others.
            changes.removeAll { change in
                change.revision > (change.home.map { stored.revisions[$0] ?? 0 } ?? stored.accountRevision)
            }
            var reached = seen
            for (home, cursor) in homes { reached.homes[home] = cursor }
            for change in changes { reached.follow(change) }
            guard isNewest(reached) else { continue }
            let gone = seen.homes.keys.filter { stored.homes[$0] == nil }
            return changes.map(HubEvent.change) + gone.map(HubEvent.homeGone)
        }
        return nil
    }

    private func changes(of log: LogID, home: UUID?, after cursor: LogCursor) async -> [LogChange]? {
        let entries = try? await store.entries(of: log, after: cursor, limit: Self.resumedEntries)
        return try? entries?.map { stored in
            LogChange(
                home: home,
                lineage: stored.entry.lineage,
                revision: stored.entry.revision,
                change: try stored.entry.change(),
                isMine: false
            )
        }
    }

    private func isNewest(_ seen: SeenLogs) -> Bool {
        seen.account == cursor(accountLog, at: stored.accountRevision)
            && stored.homes.keys.allSatisfy { home in
                seen.homes[home] == cursor(.home(home), at: stored.revisions[home] ?? 0)
            }
    }

    // MARK: Changing

    /// Decides a request about a home's layout.
    ///
    /// - Returns: The decided change on its way to the disk.
    /// - Throws: The broken rule; nothing was changed.
    func submit(
        _ request: HomeRequest,
        in id: UUID,
        by caller: Caller,
        cause: Cause = .app
    ) throws(HubError) -> Commitment {
        var home = try home(id)
        let change = try decide { () throws(HomeError) in try home.decide(request, by: caller, at: now()) }
        guard let change else { return Commitment(nil) }
        let draft = draft(change, in: .home(id), at: newest.revisions[id] ?? 0, by: caller, cause: cause)
        home.apply(change)
        newest.homes[id] = home
        newest.revisions[id, default: 0] += 1
        return enqueue([draft], change: change, by: caller)
    }

    /// Whether a request would be accepted now; decides it and throws the result away.
    func check(_ request: HomeRequest, in id: UUID, by caller: Caller) throws(HubError) {
        let home = try home(id)
        _ = try decide { () throws(HomeError) in try home.decide(request, by: caller, at: now()) }
    }

    /// Decides a request about the user's list of homes. A new home's own log begins in the same transaction; a removed
    /// home's log goes in it.
    func submit(_ request: AccountRequest, by caller: Caller, cause: Cause = .app) throws(HubError) -> Commitment {
        let account = newest.account
        let change = try decide { () throws(HomeError) in try account.decide(request) }
        guard let change else { return Commitment(nil) }
        var drafts: [EntryDraft] = []
        var removedHome: UUID?
        switch request {
        case .addHome(let id, _):
            let creation = Home.creation(id: id, defaultRoom: UUID(), owner: user)
            drafts.append(draft(creation, in: .home(id), at: 0, by: caller, cause: cause))
            var home = Home(id: id)
            home.apply(creation)
            newest.homes[id] = home
            newest.revisions[id] = 1
        case .removeHome(let id):
            removedHome = id
            newest.homes[id] = nil
            newest.revisions[id] = nil
        case .renameHome, .setPrimaryHome:
            break
        }
        drafts.append(draft(change, in: .account(user.id), at: newest.accountRevision, by: caller, cause: cause))
        newest.account.apply(change)
        newest.accountRevision += 1
        return enqueue(drafts, change: change, removing: removedHome, by: caller)
    }

    private func decide(_ body: () throws(HomeError) -> Change?) throws(HubError) -> Change? {
        do throws(HomeError) {
            return try body()
        } catch {
            throw HubError(error)
        }
    }

    private func draft(
        _ change: Change,
        in log: LogID,
        at revision: Int,
        by caller: Caller,
        cause: Cause
    ) -> EntryDraft {
        EntryDraft(
            log: log,
            entryID: UUID(),
            caller: caller,
            cause: cause,
            time: now(),
            change: change,
            expectedRevision: revision
        )
    }

    private func enqueue(
        _ drafts: [EntryDraft],
        change: Change,
        removing home: UUID? = nil,
        by caller: Caller
    ) -> Commitment {
        let commitment = Commitment(change)
        decided.append(Decided(drafts: drafts, removedHome: home, client: caller.client, commitment: commitment))
        if !isDraining {
            isDraining = true
            Task { await drain() }
        }
        return commitment
    }

    // MARK: Storing

    private func drain() async {
        while !decided.isEmpty {
            let batch = nextBatch()
            do {
                let drafts = batch.flatMap(\.drafts)
                let removed = batch.compactMap(\.removedHome).map(LogID.home)
                for entry in try await store.append(drafts, removing: removed) {
                    lineages[entry.log] = entry.cursor.lineage
                }
                for decided in batch { publish(decided) }
            } catch {
                log.error("The store refused a change.", metadata: ["error": "\(error)"])
                fail(batch, with: HubError(.storeFailure, "The change could not be stored: \(error)"))
            }
        }
        isDraining = false
    }

    /// All that waits, up to and including the first removal of a home: what comes after one starts a new transaction.
    private func nextBatch() -> [Decided] {
        let end = decided.firstIndex { $0.removedHome != nil }.map { $0 + 1 } ?? decided.count
        defer { decided.removeFirst(end) }
        return Array(decided.prefix(end))
    }

    private func publish(_ decided: Decided) {
        for draft in decided.drafts {
            let revision = draft.expectedRevision + 1
            let home: UUID?
            switch draft.log {
            case .home(let id):
                stored.homes[id, default: Home(id: id)].apply(draft.change)
                stored.revisions[id] = revision
                home = id
            case .account:
                stored.account.apply(draft.change)
                stored.accountRevision = revision
                home = nil
            }
            let lineage = cursor(draft.log, at: revision).lineage
            sessions.tell { session in
                let isMine = session.id == decided.client
                return .change(
                    LogChange(
                        home: home,
                        lineage: lineage,
                        revision: revision,
                        change: draft.change,
                        isMine: isMine
                    )
                )
            }
        }
        if let home = decided.removedHome {
            stored.homes[home] = nil
            stored.revisions[home] = nil
            live.forget(home: home)
            sessions.tell { _ in .homeGone(home) }
        }
        decided.commitment.settle(.success(()))
    }

    private func fail(_ batch: [Decided], with error: HubError) {
        // What was decided later was decided on top of the batch, so it falls with it.
        let failed = batch + decided
        decided = []
        newest = stored
        for decided in failed { decided.commitment.settle(.failure(error)) }
    }
}
