import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// The owner of the homes' state in this hub: decides requests, has them stored, and publishes what is on disk.
///
/// A request is decided at once against the newest state, which includes what is still on its way to the disk. One task
/// drains the decided changes, many in one transaction; only what is stored is published. If the store refuses,
/// everything that waits is refused with it and the state is again what is on disk.
actor HomeDatabase {
    /// One request's entries, which are stored together or not at all.
    private struct Decided {
        var drafts: [EntryDraft]
        var removedHome: UUID?
        var commitment: Commitment

        /// Lets the entries be those of a request that its client can name again.
        ///
        /// - Parameter isStored: Whether its receipt is stored with these entries, and not with others of the request.
        mutating func come(of receipt: RequestReceipt, isStored: Bool = true) {
            for index in drafts.indices { drafts[index].entryID = receipt.request.key }
            if isStored, !drafts.isEmpty { drafts[0].receipt = receipt }
        }
    }

    private let store: HomeStore
    private let activities: ActivityStream
    private let owner: UserRecord
    let now: @Sendable () -> Date
    private let log: Logger
    private let metrics: HubMetrics

    /// What is on disk.
    private(set) var stored = State()
    /// What is decided.
    private(set) var newest = State()
    /// How often what was decided fell, as the store refused it.
    private(set) var setbacks = 0
    private var decided: [Decided] = []
    private var isDraining = false

    /// Loads all logs.
    ///
    /// - Parameter owner: The hub's own user, as a new home knows them.
    init(
        store: HomeStore,
        activities: ActivityStream,
        owner: UserRecord,
        now: @escaping @Sendable () -> Date,
        log: Logger,
        metrics: HubMetrics = .none
    ) async throws {
        self.store = store
        self.activities = activities
        self.owner = owner
        self.now = now
        self.log = log
        self.metrics = metrics
        for id in try await store.logs() {
            guard let log = try await store.load(id) else { continue }
            stored.lineages[id] = log.cursor.lineage
            stored.revisions[id] = log.cursor.revision
            switch id {
            case .account(let user): stored.accounts[user] = Account(user: user, records: log.records)
            case .home(let home): stored.homes[home] = Home(id: home, records: log.records)
            }
        }
        newest = stored
    }

    // MARK: Reading

    /// The newest state of a home.
    ///
    /// - Throws: `notFound` when there is none, and likewise to those who have no part in it or are suspended.
    func home(_ id: UUID, for user: UUID) throws(HubError) -> Home {
        guard let home = newest.homes[id], home.presentRole(of: user) != nil else { throw Self.noSuchHome }
        return home
    }

    /// The newest state of a home, for the hub itself.
    func home(_ id: UUID) -> Home? { newest.homes[id] }

    /// The homes whose layout a user may change, with the user's names for them, in the user's order.
    func editableHomes(of user: UUID) -> [AccountHomeRecord] {
        newest.account(of: user).homes.filter { newest.homes[$0.id]?.presentRole(of: user)?.mayEditLayout == true }
    }

    /// What a user decided of an app; nil if nothing.
    func app(_ id: String, of user: UUID) -> AccountAppRecord? { newest.account(of: user).apps[id: id] }

    /// What a user decided of apps.
    func apps(of user: UUID) -> [AccountAppRecord] { Array(newest.account(of: user).apps) }

    /// All homes.
    var homes: [Home] { Array(newest.homes.values) }

    /// What a user calls a home; empty for one that is not theirs.
    func name(of home: UUID, to user: UUID) -> String { newest.account(of: user).home(home)?.name ?? "" }

    /// What the users of this hub call a home, the hub's own user first.
    func names(of home: UUID) -> [String] {
        let accounts = newest.accounts.values.sorted { $0.user == owner.id && $1.user != owner.id }
        return accounts.compactMap { $0.home(home)?.name }
    }

    /// The people of a user's other homes who have no part in this one, each once, in the order of the homes.
    func acquaintances(of user: UUID, notIn home: UUID) -> [UserRecord] {
        let others = newest.account(of: user).homes.compactMap { newest.homes[$0.id] }.filter {
            $0.id != home && $0.presentRole(of: user) != nil
        }
        var seen: Set<UUID> = []
        return others.flatMap { $0.users.map(\.self) }.filter { person in
            !person.isSuspended && newest.homes[home]?.role(of: person.id) == nil && seen.insert(person.id).inserted
        }
    }

    private static let noSuchHome = HubError(HomeError(.notFound, "There is no such home."))

    // MARK: Changing

    /// Decides a request about a home's layout or people.
    ///
    /// - Parameter receipt: Is stored together with the change.
    /// - Returns: The decided change on its way to the disk.
    /// - Throws: The broken rule; nothing was changed.
    func submit(
        _ request: HomeRequest,
        in id: UUID,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) throws(HubError) -> Commitment {
        let home = try home(id, for: caller.user)
        guard let change = try decide(request, in: home, by: caller) else { return Commitment(nil) }
        var drafts = [draft(change, in: .home(id), by: caller, cause: cause)]
        // Who joins or leaves a home finds that in their own list of homes at the same moment.
        switch request {
        case .addUser(let user, _, _):
            let name = newest.account(of: caller.user).home(id)?.name ?? ""
            let joining = try rule { () throws(HomeError) in try newest.account(of: user).joining(id, named: name) }
            if let joining { drafts.append(draft(joining, in: .account(user), by: caller, cause: cause)) }
        case .removeUser(let user):
            drafts += try leavings(of: id, users: [user], by: caller, cause: cause)
        default:
            break
        }
        return enqueue(drafts, change: change, receipt: receipt)
    }

    /// Decides requests one on top of the other: all of them, or none.
    ///
    /// - Parameter receipt: Makes of the changes what is stored together with them.
    /// - Returns: The decided changes on their way to the disk, where they come together.
    /// - Throws: The first broken rule; nothing was changed.
    func submit(
        _ requests: [HomeRequest],
        in id: UUID,
        by caller: Caller,
        cause: Cause,
        receipt: (([Change]) throws(HubError) -> RequestReceipt?)? = nil
    ) throws(HubError) -> [Commitment] {
        let (state, count) = (newest, decided.count)
        var commitments: [Commitment] = []
        do throws(HubError) {
            for request in requests { commitments.append(try submit(request, in: id, by: caller, cause: cause)) }
            if decided.count > count, let receipt = try receipt?(commitments.compactMap(\.change)) {
                // All of them are in one transaction, so it makes no difference with which one the receipt goes.
                for index in decided.indices.dropFirst(count) {
                    decided[index].come(of: receipt, isStored: index == count)
                }
            }
            return commitments
        } catch {
            // The disk has seen none of them: what is decided is stored later, by a task of this actor's.
            newest = state
            decided.removeLast(decided.count - count)
            throw error
        }
    }

    /// What a home would be after some requests, each decided on top of the one before. Nothing is changed.
    ///
    /// - Throws: The broken rule.
    func proposal(_ requests: [HomeRequest], in id: UUID, by caller: Caller) throws(HubError) -> Home {
        var home = try home(id, for: caller.user)
        for request in requests {
            if let change = try decide(request, in: home, by: caller) { home.apply(change) }
        }
        return home
    }

    /// Lets the hub itself change a home, on behalf of its owner.
    func submit(_ request: HomeRequest, in id: UUID, asHub hub: Caller) throws(HubError) -> Commitment {
        var caller = hub
        caller.user = newest.homes[id]?.users.first { $0.role == .owner }?.id ?? hub.user
        return try submit(request, in: id, by: caller, cause: .hub)
    }

    /// Decides a request about the caller's list of homes. A new home's own log begins in the same transaction; a removed
    /// home's log goes in it, and the home leaves everybody's list.
    ///
    /// - Parameter receipt: Is stored together with the change.
    func submit(
        _ request: AccountRequest,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) throws(HubError) -> Commitment {
        let account = newest.account(of: caller.user)
        if case .removeHome(let id) = request { try checkOwns(id, caller.user) }
        let change = try rule { () throws(HomeError) in try account.decide(request) }
        guard let change else { return Commitment(nil) }
        var drafts: [EntryDraft] = []
        var removedHome: UUID?
        switch request {
        case .addHome(let id, _):
            let creation = Home.creation(id: id, defaultRoom: UUID(), owner: record(of: caller.user))
            drafts.append(draft(creation, in: .home(id), by: caller, cause: cause))
        case .removeHome(let id):
            removedHome = id
            let others = newest.homes[id]?.users.map(\.id).filter { $0 != caller.user } ?? []
            drafts += try leavings(of: id, users: others, by: caller, cause: cause)
        default:
            break
        }
        drafts.append(draft(change, in: .account(caller.user), by: caller, cause: cause))
        return enqueue(drafts, change: change, removing: removedHome, receipt: receipt)
    }

    /// Refuses those who may not change a home's layout.
    func checkMayEdit(_ id: UUID, _ user: UUID) throws(HubError) {
        guard try home(id, for: user).role(of: user)?.mayEditLayout == true else {
            let reason = "Only the owner and administrators of a home may change its layout."
            throw HubError(HomeError(.insufficientPrivileges, reason))
        }
    }

    /// Refuses to remove a home for anyone but its owner.
    func checkOwns(_ id: UUID, _ user: UUID) throws(HubError) {
        guard try home(id, for: user).role(of: user) == .owner else {
            throw HubError(HomeError(.insufficientPrivileges, "Only the owner of a home may remove it."))
        }
    }

    /// How a user is known in a home that they make.
    func record(of user: UUID) -> UserRecord {
        if user == owner.id { return owner }
        let known = newest.homes.values.lazy.compactMap { $0.users[id: user] }.first
        return UserRecord(id: user, name: known?.name ?? owner.name, role: .owner)
    }

    /// The entries by which users lose a home from their lists.
    private func leavings(
        of home: UUID,
        users: [UUID],
        by caller: Caller,
        cause: Cause
    ) throws(HubError) -> [EntryDraft] {
        var drafts: [EntryDraft] = []
        for user in users {
            let account = newest.account(of: user)
            guard account.home(home) != nil else { continue }
            let change = try rule { () throws(HomeError) in try account.decide(.removeHome(home)) }
            if let change { drafts.append(draft(change, in: .account(user), by: caller, cause: cause)) }
        }
        return drafts
    }

    private func decide(_ request: HomeRequest, in home: Home, by caller: Caller) throws(HubError) -> Change? {
        try rule { () throws(HomeError) in try home.decide(request, by: caller, at: now()) }
    }

    func rule<Result>(_ body: () throws(HomeError) -> Result) throws(HubError) -> Result {
        do throws(HomeError) {
            return try body()
        } catch {
            throw HubError(error)
        }
    }

    func draft(_ change: Change, in log: LogID, by caller: Caller, cause: Cause) -> EntryDraft {
        EntryDraft(
            log: log,
            entryID: UUID(),
            caller: caller,
            cause: cause,
            time: now(),
            change: change,
            expectedRevision: newest.revisions[log] ?? 0
        )
    }

    func enqueue(
        _ drafts: [EntryDraft],
        change: Change,
        removing home: UUID? = nil,
        receipt: RequestReceipt? = nil
    ) -> Commitment {
        for draft in drafts { newest.apply(draft.change, to: draft.log) }
        if let home { newest.remove(home: home) }
        let commitment = Commitment(change)
        var request = Decided(drafts: drafts, removedHome: home, commitment: commitment)
        if let receipt { request.come(of: receipt) }
        decided.append(request)
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
                let began = ContinuousClock.now
                let removed = batch.compactMap(\.removedHome).map(LogID.home)
                for entry in try await store.append(drafts, removing: removed) {
                    stored.lineages[entry.log] = entry.cursor.lineage
                }
                note(drafts, after: ContinuousClock.now - began)
                for decided in batch { publish(decided) }
            } catch {
                log.error("The store refused a change.", metadata: [LogKey.error: "\(error)"])
                metrics.noteFailedAppend()
                fail(batch, with: HubError(.storeFailure, "The change could not be stored: \(error)"))
            }
        }
        isDraining = false
    }

    private func note(_ drafts: [EntryDraft], after duration: Duration) {
        metrics.noteAppend(entries: drafts.count, after: duration)
        guard log.logLevel <= .debug else { return }
        for draft in drafts {
            var metadata: Logger.Metadata = [
                LogKey.verb: "\(draft.change.verb.rawValue)", LogKey.app: "\(draft.caller.app)",
                LogKey.client: "\(draft.caller.client)", LogKey.milliseconds: "\(duration.milliseconds)",
            ]
            if case .home(let home) = draft.log { metadata[LogKey.home] = "\(home)" }
            log.debug("A change was stored.", metadata: metadata)
        }
    }

    /// All that waits, up to and including the first removal of a home: what comes after one starts a new transaction.
    private func nextBatch() -> [Decided] {
        let end = decided.firstIndex { $0.removedHome != nil }.map { $0 + 1 } ?? decided.count
        defer { decided.removeFirst(end) }
        return Array(decided.prefix(end))
    }

    private func publish(_ decided: Decided) {
        for draft in decided.drafts { stored.apply(draft.change, to: draft.log) }
        let entries = decided.drafts.map { draft in
            let lineage = stored.cursor(draft.log).lineage
            let cursor = LogCursor(lineage: lineage, revision: draft.expectedRevision + 1)
            return StoredRequest.Entry(draft: draft, cursor: cursor)
        }
        if let home = decided.removedHome { stored.remove(home: home) }
        activities.publish(
            .stored(StoredRequest(entries: entries, removedHome: decided.removedHome, state: stored))
        )
        decided.commitment.settle(.success(entries.compactMap(\.place)))
    }

    private func fail(_ batch: [Decided], with error: HubError) {
        // What was decided later was decided on top of the batch, so it falls with it.
        let failed = batch + decided
        decided = []
        newest = stored
        setbacks += 1
        for decided in failed { decided.commitment.settle(.failure(error)) }
    }
}
