import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// The owner of the homes' state in this hub. It decides requests, stores their changes, and publishes the stored
/// changes.
///
/// A request is decided immediately, on the newest state. That state includes the changes that aren't on disk yet. One
/// task stores the decided changes, many in a transaction. Only stored changes are published.
///
/// If the store rejects a transaction, the newest state is reset to the state on disk, and all waiting requests are
/// decided again. Only the rejected requests and the requests that depend on them fail.
actor HomeDatabase {
    /// The decision on a request. Its entries are stored together or not at all.
    struct Decision {
        var drafts: [EntryDraft]
        var change: Change
        var removedHome: UUID?
    }

    /// A closure that decides a request on the newest state. It returns `nil` if the request changes nothing.
    typealias Decide = () throws(HubError) -> Decision?

    /// A decided request that waits to be stored.
    struct PendingBatch {
        var drafts: [EntryDraft]
        var removedHome: UUID?
        var change: PendingChange
        /// Requests of one group are stored together or not at all.
        var group: Int
        /// Decides the request again if the store rejects this decision or an earlier one.
        var decide: Decide
        /// The request's receipt, and whether it is stored with these entries.
        var receipt: (receipt: RequestReceipt, isStored: Bool)?
        /// How often it was decided again because the other hub's changes came before.
        var repetitions = 0

        init(_ decision: Decision, _ change: PendingChange, group: Int, decide: @escaping Decide) {
            drafts = decision.drafts
            removedHome = decision.removedHome
            self.change = change
            self.group = group
            self.decide = decide
        }

        /// Marks the entries as the entries of a request with an idempotency key.
        ///
        /// - Parameters:
        ///   - receipt: The request's receipt.
        ///   - isStored: Whether the receipt is stored with these entries, and not with other entries of the request.
        mutating func attach(_ receipt: RequestReceipt, isStored: Bool = true) {
            self.receipt = (receipt, isStored)
            for index in drafts.indices { drafts[index].entryID = receipt.request.key }
            if isStored, !drafts.isEmpty { drafts[0].receipt = receipt }
        }
    }

    let store: HomeStore
    /// What stores the decided changes: the store, or the replicator of two hubs.
    private let writer: any ChangeWriter
    let activities: ActivityStream
    private let owner: UserRecord
    /// The hub's own user.
    var hubUser: UUID { owner.id }
    let now: @Sendable () -> Date
    let log: Logger
    private let metrics: HubMetrics

    /// The state on disk.
    var stored = State()
    /// The state with all decided changes, stored or not.
    var newest = State()
    /// The number of times that decided changes were rolled back because the store rejected them.
    var rollbackCount = 0
    var decided: [PendingBatch] = []
    /// The requests that are being stored.
    var storing: [PendingBatch] = []
    private var lastGroup = 0
    /// The number of groups to store one at a time, because the store rejected them in one transaction.
    var separateGroups = 0
    private var isDraining = false

    /// Creates a database and loads all logs.
    ///
    /// - Parameters:
    ///   - store: The store of the logs.
    ///   - writer: What stores decided changes; the store unless it is given.
    ///   - activities: The stream that receives the stored changes.
    ///   - owner: The hub's own user, as a new home stores them.
    ///   - now: A closure that returns the current time.
    ///   - log: The logger.
    ///   - metrics: The metrics that count stored and rejected changes.
    init(
        store: HomeStore,
        writer: (any ChangeWriter)? = nil,
        activities: ActivityStream,
        owner: UserRecord,
        now: @escaping @Sendable () -> Date,
        log: Logger,
        metrics: HubMetrics = .none
    ) async throws {
        self.store = store
        self.writer = writer ?? store
        self.activities = activities
        self.owner = owner
        self.now = now
        self.log = log
        self.metrics = metrics
        stored = try await State.load(from: store)
        newest = stored
    }

    // MARK: Reading

    /// Returns the newest state of a home.
    ///
    /// - Throws: ``HubAPI/HubError`` with `notFound` if the home doesn't exist, or if the user isn't a member or is
    ///   suspended.
    func home(_ id: UUID, for user: UUID) throws(HubError) -> Home {
        guard let home = newest.homes[id], home.activeRole(of: user) != nil else { throw Self.noSuchHome }
        return home
    }

    /// Returns the newest state of a home with the position of its last change, and the user's name for it.
    ///
    /// - Throws: As ``home(_:for:)`` does.
    func namedHome(_ id: UUID, for user: UUID) throws(HubError) -> (home: Home, cursor: LogCursor, name: String) {
        (try home(id, for: user), newest.cursor(.home(id)), name(of: id, to: user))
    }

    /// Returns the newest state of a home, for the hub itself.
    func home(_ id: UUID) -> Home? { newest.homes[id] }

    /// Returns the homes of a user that aren't closed to them, with the user's names, in the user's order.
    func homes(of user: UUID) -> [AccountHomeRecord] {
        newest.account(of: user).homes.filter { newest.homes[$0.id]?.activeRole(of: user) != nil }
    }

    /// Returns the homes whose layout a user can change, with the user's names for them, in the user's order.
    func editableHomes(of user: UUID) -> [AccountHomeRecord] {
        newest.account(of: user).homes.filter { newest.homes[$0.id]?.activeRole(of: user)?.canEditLayout == true }
    }

    /// Returns a user's decision about an app, or `nil` if there is none.
    func app(_ id: String, of user: UUID) -> AccountAppRecord? { newest.account(of: user).apps[id: id] }

    /// Returns a user's decisions about apps.
    func apps(of user: UUID) -> [AccountAppRecord] { Array(newest.account(of: user).apps) }

    /// All homes.
    var homes: [Home] { Array(newest.homes.values) }

    /// Returns a user's name for a home, or an empty string if the home isn't in the user's list.
    func name(of home: UUID, to user: UUID) -> String { newest.account(of: user).home(home)?.name ?? "" }

    /// Returns the names that this hub's users have for a home, beginning with the name of the hub's own user.
    func names(of home: UUID) -> [String] {
        let accounts = newest.accounts.values.sorted { $0.user == owner.id && $1.user != owner.id }
        return accounts.compactMap { $0.home(home)?.name }
    }

    /// Returns the users of a user's other homes who aren't members of this one, each once, in the order of the homes.
    func knownUsers(of user: UUID, notIn home: UUID) -> [UserRecord] {
        let others = newest.account(of: user).homes.compactMap { newest.homes[$0.id] }.filter {
            $0.id != home && $0.activeRole(of: user) != nil
        }
        var seen: Set<UUID> = []
        return others.flatMap { $0.users.map(\.self) }.filter { person in
            !person.isSuspended && newest.homes[home]?.role(of: person.id) == nil && seen.insert(person.id).inserted
        }
    }

    private static let noSuchHome = HubError(HomeError(.notFound, "No home with that ID exists."))

    // MARK: Changing

    /// Decides a request that changes a home's layout or users.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - id: The home.
    ///   - caller: The caller of the request.
    ///   - cause: The cause of the change.
    ///   - receipt: The receipt that is stored together with the change.
    /// - Returns: The decided change, which is being stored.
    /// - Throws: ``HubAPI/HubError`` if the request violates a rule. Nothing changes then.
    func submit(
        _ request: any HomeRequest,
        in id: UUID,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) throws(HubError) -> PendingChange {
        lastGroup += 1
        return try enqueue(receipt: receipt) { () throws(HubError) in
            try self.decision(on: request, in: id, by: caller, cause: cause)
        }
    }

    private func decision(
        on request: any HomeRequest,
        in id: UUID,
        by caller: Caller,
        cause: Cause
    ) throws(HubError) -> Decision? {
        let home = try home(id, for: caller.user)
        guard let change = try decide(request, in: home, by: caller) else { return nil }
        var drafts = [draft(change, in: .home(id), by: caller, cause: cause)]
        // The list of homes of a user who joins or leaves changes in the same transaction.
        switch request {
        case let addition as AddUser:
            guard let user = addition.id else { break }
            let name = newest.account(of: caller.user).home(id)?.name ?? ""
            let joining = try rule { () throws(HomeError) in try newest.account(of: user).joining(id, named: name) }
            if let joining { drafts.append(draft(joining, in: .account(user), by: caller, cause: cause)) }
        case let removal as RemoveUser:
            drafts += try removalDrafts(of: id, users: [removal.id], by: caller, cause: cause)
        case let addition as AddAccessories where !addition.favorites.isEmpty:
            // A user with as many favorites as possible gets the accessories without new ones.
            let request = AccountRequest.addFavorites(addition.favorites.map { .service($0) }, in: id, before: nil)
            if let added = (try? newest.account(of: caller.user).decide(request)) ?? nil {
                drafts.append(draft(added, in: .account(caller.user), by: caller, cause: cause))
            }
        default:
            drafts += lostFavoriteDrafts(change, in: id, by: caller, cause: cause)
        }
        return Decision(drafts: drafts, change: change)
    }

    /// Decides requests in order, each on the result of the one before: all of them, or none.
    ///
    /// - Parameters:
    ///   - requests: The requests.
    ///   - id: The home.
    ///   - caller: The caller of the requests.
    ///   - cause: The cause of the changes.
    ///   - receipt: A closure that creates the receipt that is stored together with the changes.
    /// - Returns: The decided changes, which are being stored in one transaction.
    /// - Throws: ``HubAPI/HubError`` for the first request that violates a rule. Nothing changes then.
    func submit(
        _ requests: [any HomeRequest],
        in id: UUID,
        by caller: Caller,
        cause: Cause,
        receipt: (([Change]) throws(HubError) -> RequestReceipt?)? = nil
    ) throws(HubError) -> [PendingChange] {
        let (state, count) = (newest, decided.count)
        var changes: [PendingChange] = []
        lastGroup += 1
        do throws(HubError) {
            for request in requests {
                let change = try enqueue { () throws(HubError) in
                    try self.decision(on: request, in: id, by: caller, cause: cause)
                }
                changes.append(change)
            }
            if decided.count > count, let receipt = try receipt?(changes.compactMap(\.change)) {
                // All changes are in one transaction, so the receipt can be stored with any of them.
                for index in decided.indices.dropFirst(count) {
                    decided[index].attach(receipt, isStored: index == count)
                }
            }
            return changes
        } catch {
            // None of them is on disk yet: a task of this actor stores them later.
            newest = state
            decided.removeLast(decided.count - count)
            throw error
        }
    }

    /// Returns a home as it would be after some requests, each decided on the result of the one before. Nothing
    /// changes.
    ///
    /// - Throws: ``HubAPI/HubError`` if a request violates a rule.
    func preview(_ requests: [any HomeRequest], in id: UUID, by caller: Caller) throws(HubError) -> Home {
        var home = try home(id, for: caller.user)
        for request in requests {
            if let change = try decide(request, in: home, by: caller) { home.apply(change) }
        }
        return home
    }

    /// Decides a request of the hub itself, on behalf of the home's owner.
    func submit(_ request: any HomeRequest, in id: UUID, asHub hub: Caller) throws(HubError) -> PendingChange {
        var caller = hub
        caller.user = newest.homes[id]?.users.first { $0.role == .owner }?.id ?? hub.user
        return try submit(request, in: id, by: caller, cause: .hub)
    }

    /// Decides a request that changes the caller's own log: the list of homes, the favorites or the apps.
    ///
    /// The same transaction creates the log of a new home. For a removed home, it deletes the log and removes the home
    /// from all users' lists.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - caller: The caller, whose list changes.
    ///   - cause: The cause of the change.
    ///   - receipt: The receipt that is stored together with the change.
    /// - Returns: The decided change, which is being stored.
    /// - Throws: ``HubAPI/HubError`` if the request violates a rule. Nothing changes then.
    func submit(
        _ request: AccountRequest,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) throws(HubError) -> PendingChange {
        lastGroup += 1
        return try enqueue(receipt: receipt) { () throws(HubError) in
            try self.decision(on: request, by: caller, cause: cause)
        }
    }

    private func decision(
        on request: AccountRequest,
        by caller: Caller,
        cause: Cause
    ) throws(HubError) -> Decision? {
        let account = newest.account(of: caller.user)
        switch request {
        case .removeHome(let id):
            try checkOwns(id, caller.user)
        case .addFavorites(let favorites, let id, _):
            let home = try home(id, for: caller.user)
            for favorite in favorites { try rule { () throws(HomeError) in try home.check(favorite) } }
        default:
            break
        }
        let change = try rule { () throws(HomeError) in try account.decide(request) }
        guard let change else { return nil }
        var drafts: [EntryDraft] = []
        var removedHome: UUID?
        switch request {
        case .addHome(let id, _):
            let creation = Home.creation(id: id, defaultRoom: UUID(), owner: record(of: caller.user))
            drafts.append(draft(creation, in: .home(id), by: caller, cause: cause))
        case .removeHome(let id):
            removedHome = id
            let others = newest.homes[id]?.users.map(\.id).filter { $0 != caller.user } ?? []
            drafts += try removalDrafts(of: id, users: others, by: caller, cause: cause)
        default:
            break
        }
        drafts.append(draft(change, in: .account(caller.user), by: caller, cause: cause))
        return Decision(drafts: drafts, change: change, removedHome: removedHome)
    }

    /// Throws if a user isn't allowed to change a home's layout.
    func checkMayEdit(_ id: UUID, _ user: UUID) throws(HubError) {
        guard try home(id, for: user).role(of: user)?.canEditLayout == true else {
            let reason = "Only the owner and administrators of a home may change its layout."
            throw HubError(HomeError(.insufficientPrivileges, reason))
        }
    }

    /// Throws if a user isn't the home's owner and therefore can't remove it.
    func checkOwns(_ id: UUID, _ user: UUID) throws(HubError) {
        guard try home(id, for: user).role(of: user) == .owner else {
            throw HubError(HomeError(.insufficientPrivileges, "Only the owner of a home can remove it."))
        }
    }

    /// Returns a user's record for a home that they create.
    func record(of user: UUID) -> UserRecord {
        if user == owner.id { return owner }
        let known = newest.homes.values.lazy.compactMap { $0.users[id: user] }.first
        return UserRecord(id: user, name: known?.name ?? owner.name, role: .owner)
    }

    /// Returns the entries that remove what a change removes from users' favorites.
    private func lostFavoriteDrafts(_ change: Change, in id: UUID, by caller: Caller, cause: Cause) -> [EntryDraft] {
        let removed = change.removedFavorites
        guard !removed.isEmpty else { return [] }
        return (newest.homes[id]?.users.map(\.id) ?? []).compactMap { user in
            newest.account(of: user).losing(removed, in: id).map {
                draft($0, in: .account(user), by: caller, cause: cause)
            }
        }
    }

    /// Returns the entries that remove a home from users' lists.
    private func removalDrafts(
        of home: UUID,
        users: [UUID],
        by caller: Caller,
        cause: Cause
    ) throws(HubError) -> [EntryDraft] {
        var drafts: [EntryDraft] = []
        for user in users {
            let account = newest.account(of: user)
            let change = try rule { () throws(HomeError) in
                // Without any home, only the hub's own user keeps their devices.
                guard account.home(home) != nil else { return nil as Change? }
                return try user == owner.id ? account.decide(.removeHome(home)) : account.losing(home: home, at: now())
            }
            if let change { drafts.append(draft(change, in: .account(user), by: caller, cause: cause)) }
        }
        return drafts
    }

    private func decide(_ request: any HomeRequest, in home: Home, by caller: Caller) throws(HubError) -> Change? {
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

    /// Decides a request in a separate group, and queues its change for storing.
    func submit(deciding decide: @escaping Decide, receipt: RequestReceipt? = nil) throws(HubError) -> PendingChange {
        lastGroup += 1
        return try enqueue(receipt: receipt, decide)
    }

    private func enqueue(
        receipt: RequestReceipt? = nil,
        _ decide: @escaping Decide
    ) throws(HubError) -> PendingChange {
        guard let decision = try decide() else { return PendingChange(nil) }
        let change = PendingChange(decision.change)
        var request = PendingBatch(decision, change, group: lastGroup, decide: decide)
        if let receipt { request.attach(receipt) }
        enqueue(request)
        if !isDraining {
            isDraining = true
            Task { await drain() }
        }
        return change
    }

    private func enqueue(_ request: PendingBatch) {
        for draft in request.drafts { newest.apply(draft.change, to: draft.log) }
        if let home = request.removedHome { newest.remove(home: home) }
        decided.append(request)
    }

    // MARK: Storing

    private func drain() async {
        while !decided.isEmpty {
            let batch = nextBatch()
            storing = batch
            defer { storing = [] }
            do {
                let drafts = batch.flatMap(\.drafts)
                let began = ContinuousClock.now
                let removed = batch.compactMap(\.removedHome).map(LogID.home)
                let entries = try await writer.append(drafts, removing: removed)
                record(drafts, after: ContinuousClock.now - began)
                // Of two hubs, the replicator has brought them before.
                publishStoring(entries)
            } catch  where error.code == .notLeader || error.code == .unknownOutcome {
                loseLead(batch, HubError(.noLeader, error.reason))
            } catch  where error.code == .conflict && batch.allSatisfy({ $0.repetitions < Self.maximumRepetitions }) {
                decideAgain(batch)
            } catch {
                log.error("The store rejected a change.", metadata: [LogKey.error: "\(error)"])
                metrics.recordFailedAppend()
                rollBack(batch, by: HubError(.storeFailure, "The change could not be stored: \(error)"))
            }
        }
        isDraining = false
    }

    private func record(_ drafts: [EntryDraft], after duration: Duration) {
        metrics.recordAppend(after: duration)
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

    /// Removes and returns the next batch of decided requests.
    ///
    /// A batch ends with the first removal of a home, because later changes need a new transaction. After the store
    /// rejected a transaction, each of its groups is a batch.
    private func nextBatch() -> [PendingBatch] {
        if separateGroups > 0 {
            separateGroups -= 1
            return dequeueGroup(from: &decided)
        }
        let end = decided.firstIndex { $0.removedHome != nil }.map { $0 + 1 } ?? decided.count
        defer { decided.removeFirst(end) }
        return Array(decided.prefix(end))
    }

    /// Publishes the requests that are being stored, unless that was done.
    ///
    /// - Parameter entries: Their entries.
    func publishStoring(_ entries: [AppendedEntry]) {
        guard !storing.isEmpty else { return }
        for entry in entries { stored.lineages[entry.log] = entry.cursor.lineage }
        for decided in storing {
            let entries = publish(decided.drafts, removing: decided.removedHome)
            decided.change.complete(.success(entries.compactMap(\.place)))
        }
        storing = []
    }

    /// Applies drafts that are on disk to the stored state, and publishes them.
    @discardableResult
    func publish(_ drafts: [EntryDraft], removing removedHome: UUID?) -> [StoredRequest.Entry] {
        for draft in drafts { stored.apply(draft.change, to: draft.log) }
        let entries = drafts.map { draft in
            let lineage = stored.cursor(draft.log).lineage
            let cursor = LogCursor(lineage: lineage, revision: draft.expectedRevision + 1)
            return StoredRequest.Entry(draft: draft, cursor: cursor)
        }
        if let removedHome { stored.remove(home: removedHome) }
        activities.publish(.stored(StoredRequest(entries: entries, removedHome: removedHome, state: stored)))
        return entries
    }

    /// Resets the newest state to the state on disk, and decides the waiting requests again.
    ///
    /// A rejected batch of one group fails. The groups of a larger batch are decided again and stored one at a time.
    func rollBack(_ refused: [PendingBatch], by error: HubError) {
        let groups = Set(refused.map(\.group)).count
        if groups == 1 { for request in refused { request.change.complete(.failure(error)) } }
        var waiting = (groups == 1 ? [] : refused) + decided
        separateGroups = groups == 1 ? separateGroups : groups
        decided = []
        newest = stored
        rollbackCount += 1
        while !waiting.isEmpty { decideGroupAgain(dequeueGroup(from: &waiting)) }
    }

    /// Decides the requests of a group again, on the newest state: all of them, or none.
    func decideGroupAgain(_ group: [PendingBatch]) {
        let (state, count) = (newest, decided.count)
        var unneeded: [PendingChange] = []
        do throws(HubError) {
            for request in group {
                guard let decision = try request.decide() else {
                    unneeded.append(request.change)
                    continue
                }
                var again = PendingBatch(decision, request.change, group: request.group, decide: request.decide)
                again.repetitions = request.repetitions
                if let (receipt, isStored) = request.receipt { again.attach(receipt, isStored: isStored) }
                enqueue(again)
            }
            for change in unneeded { change.complete(.success([])) }
        } catch {
            newest = state
            decided.removeLast(decided.count - count)
            for request in group { request.change.complete(.failure(error)) }
        }
    }

    /// Removes and returns the requests of the first group.
    func dequeueGroup(from requests: inout [PendingBatch]) -> [PendingBatch] {
        let group = requests.first?.group
        let end = requests.firstIndex { $0.group != group } ?? requests.endIndex
        defer { requests.removeFirst(end) }
        return Array(requests.prefix(end))
    }
}
