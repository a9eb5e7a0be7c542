import Consensus
import Foundation
import HomeIdentity
import HomeModel
import HomeStore
package import HubAPI
import Logging
import Replication

/// What this hub is as one of two: who leads, which relay votes, and how the pair ends.
///
/// Its methods are in extensions: what people ask of it, and what it says about the pair.
actor PairDesk: HubPart {
    // This is an actor because the replicator, the connection and people come to it.

    let store: HomeStore
    let changes: ChangeSwitch
    let database: HomeDatabase
    let connections: AccessoryConnections
    let hubTable: HubTable
    nonisolated let relay: VotingRelay
    let line: LeaderLine
    let invitations: InvitationManager
    private let sync: SyncDesk
    private let activities: ActivityStream
    let owner: HubOwner
    let identity: IdentityKey
    let now: @Sendable () -> Date
    let log: Logger

    private(set) var replicator: Replicator?
    /// Whether the other hub is connected.
    private(set) var isConnected: @Sendable () -> Bool = { false }
    private(set) var role = HubRole.withoutLeader
    /// When the role began, in the hub's time and on a clock that nobody sets.
    private(set) var since: (date: Date, instant: ContinuousClock.Instant)
    /// The hub that led last.
    private var lastLeader: UUID?
    /// The list that the other hub has told last.
    private(set) var toldList: Data?
    private var silence: Task<Void, Never>?
    private var settling: Task<Void, Never>?
    private var registering: Task<Void, Never>?
    private var registered = ContinuousClock.Instant.now - .seconds(60)
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    private let departures: AsyncStream<HubError>
    private let departure: AsyncStream<HubError>.Continuation

    init(
        store: HomeStore,
        changes: ChangeSwitch,
        database: HomeDatabase,
        connections: AccessoryConnections,
        hubs: HubTable,
        relay: VotingRelay,
        line: LeaderLine,
        invitations: InvitationManager,
        sync: SyncDesk,
        activities: ActivityStream,
        owner: HubOwner,
        identity: IdentityKey,
        now: @escaping @Sendable () -> Date,
        log: Logger
    ) {
        self.store = store
        self.changes = changes
        self.database = database
        self.connections = connections
        hubTable = hubs
        self.relay = relay
        self.line = line
        self.invitations = invitations
        self.sync = sync
        self.activities = activities
        self.owner = owner
        self.identity = identity
        self.now = now
        self.log = log
        since = (now(), .now)
        (departures, departure) = AsyncStream.makeStream()
        relay.onChange { [weak self] in Task { await self?.settleRelay() } }
    }

    nonisolated func register(in router: inout MethodRouter) { registerMethods(in: &router) }

    func stop() async {
        for task in [silence, settling, registering] { task?.cancel() }
        departure.finish()
    }

    // MARK: The pair

    /// Handles that this hub begins to keep the homes the same as the other one's.
    ///
    /// - Parameter isConnected: Whether the other hub is connected.
    func begin(_ replicator: Replicator, isConnected: @escaping @Sendable () -> Bool) {
        self.replicator = replicator
        self.isConnected = isConnected
        since = (now(), .now)
        registerHouse()
    }

    /// Handles that this hub is alone from now on.
    func end() {
        replicator = nil
        isConnected = { false }
        (role, lastLeader, toldList) = (.withoutLeader, nil, nil)
        silence?.cancel()
        for continuation in waitingForEnd { continuation.resume() }
        waitingForEnd = []
        // The other hub is no owner of the house at the relay any longer.
        registerHouse()
    }

    /// Waits until this hub is alone, after the list has no other one any more.
    func waitForEnd() async {
        guard replicator != nil else { return }
        await withCheckedContinuation { waitingForEnd.append($0) }
    }

    /// Handles that this hub began or stopped leading, or follows the other one.
    func change(to role: HubRole) {
        self.role = role
        since = (now(), .now)
        silence?.cancel()
        switch role {
        case .leading:
            let isTakeover = lastLeader != nil && lastLeader != owner.device && !isConnected()
            lastLeader = owner.device
            let name = hubTable.ownName
            tellJournal(isTakeover ? .tookOver(hub: name, former: hubTable.otherName) : .leads(hub: name))
            settleRelay()
        case .following(let hub):
            lastLeader = hub
            tellJournal(.leads(hub: hubTable.otherName))
        case .withoutLeader:
            let time = now()
            silence = Task {
                // A takeover takes some seconds, and isn't worth an entry of its own.
                try? await Task.sleep(for: PairTimes.silence)
                if !Task.isCancelled { tellJournal(.silent, at: time) }
            }
        }
    }

    /// Handles what list of hubs the other one has.
    func otherHubHas(_ list: Data?) { toldList = list }

    // MARK: The relay

    /// Lets the relay vote at which this hub keeps feeds, if this hub leads.
    ///
    /// Two relays must never vote at once. So there is a batch after which none votes, and one that names the new relay; only
    /// both hubs together can commit that one. The first one waits until the other hub has everything and can do that.
    private func settleRelay() {
        guard settling == nil else { return }
        settling = Task {
            while !Task.isCancelled, await settleRelayOnce() { try? await Task.sleep(for: PairTimes.retry) }
            settling = nil
        }
    }

    /// Returns whether something is left to do.
    private func settleRelayOnce() async -> Bool {
        guard case .leading = role, let replicator, let wanted = relay.wanted, wanted != relay.place else {
            return false
        }
        let isSame = wanted != nil && wanted?.house == relay.place?.house
        if !isSame {
            let places = await replicator.places
            guard isConnected(), places.hub == places.last else { return true }
        }
        let next = isSame || relay.place == nil ? wanted : nil
        do {
            try await changes.setSecrets([VotingRelay.key: try next.map { try VotingRelay.bytes(of: $0) }])
            log.notice("Another relay votes.", metadata: ["relay": "\(next?.relay ?? "none")"])
        } catch {
            log.info("The relay that votes can't be changed yet.", metadata: [LogKey.error: "\(error)"])
        }
        return true
    }

    /// Records that the relay was asked for its vote.
    ///
    /// - Parameters:
    ///   - problem: Why there is no answer; `nil` if there is one.
    ///   - isUnknown: Whether the relay doesn't know the house, or this hub as its owner.
    nonisolated func relayWasAsked(problem: String?, isUnknown: Bool) {
        relay.record(problem: problem)
        if isUnknown { Task { await houseIsUnknown() } }
    }

    private func houseIsUnknown() {
        guard ContinuousClock.now - registered > PairTimes.betweenRegistrations else { return }
        registerHouse()
    }

    /// Tells the relay who owns the house now, until the relay takes it or refuses.
    func registerHouse() {
        registering?.cancel()
        registered = .now
        registering = Task {
            while !Task.isCancelled {
                // The feeds' relay after the pair has ended.
                guard let place = await house, await sync.register(place) else { return }
                try? await Task.sleep(for: PairTimes.registrationRetry)
            }
        }
    }

    private var house: RelayPlace? {
        get async {
            if hubTable.isPaired, let place = relay.place { return place }
            // A hub that was never one of two has registered its house already.
            guard hubTable.list != nil else { return nil }
            return await sync.stored.place
        }
    }

    // MARK: The end of this hub

    /// Handles that this hub isn't in the list any more: it must stop.
    func depart() {
        let reason =
            "This hub has left its homes, which another hub keeps. Its keys are deleted as it stops. Delete its data folder, or "
            + "join again with an empty one: hearth hub join LINK --data DIR"
        Task {
            // Whoever asked for it gets the reply.
            try? await Task.sleep(for: PairTimes.departure)
            departure.yield(HubError(.hubLeft, reason))
        }
    }

    /// Waits until this hub must stop because it isn't in the list any more. Only one caller can wait.
    ///
    /// - Returns: The reason; `nil` if the task was canceled.
    nonisolated func departed() async -> HubError? {
        for await error in departures { return error }
        return nil
    }

    /// Tells the homes' journals.
    func tellJournal(_ event: HubActivity.Event, by origin: Origin? = nil, at time: Date? = nil) {
        let origin = origin ?? Origin(cause: .hub, caller: nil)
        activities.publish(.hub(HubActivity(event: event, time: time ?? now(), origin: origin)))
    }
}

/// Times of a pair of hubs.
enum PairTimes {
    /// After this time without a leader, the journal has an entry.
    static let silence = Duration.seconds(10)
    /// Before this time without a leader, nobody can let a hub go on alone.
    static let alone = Duration.seconds(10)
    /// Between two attempts.
    static let retry = Duration.seconds(1)
    /// Between two attempts to tell a relay of the hubs that can't be reached.
    static let registrationRetry = Duration.seconds(5)
    /// At least between two registrations at a relay that doesn't know the house.
    static let betweenRegistrations = Duration.seconds(10)
    /// How long a hub that leaves waits until the other one has everything, and until that one has taken the list.
    static let handover = Duration.seconds(10)
    /// Between two looks at what the other hub has.
    static let look = Duration.milliseconds(50)
    /// From the end of a hub's membership until it stops.
    static let departure = Duration.seconds(1)
}

extension HubError.Code {
    /// The hub isn't one of the homes' hubs any more.
    package static let hubLeft = Self(rawValue: "hubLeft")
}
