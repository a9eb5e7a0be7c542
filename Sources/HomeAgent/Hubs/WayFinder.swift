package import DNSSD
package import Foundation
package import HomeIdentity
package import HubAPI
import HubNetwork
package import Logging
import NIOCore
import RelayAPI
import Synchronization

/// Finds the way to each joined hub: the addresses at which it was reached last, what mDNS says, and those of the link.
///
/// All of them are hints: whoever answers proves with the hub's key that it is the hub. Somebody else there costs one
/// handshake, and the next address is tried.
package final class WayFinder: Sendable {
    // This is a class because the browser, the agent's connections and the apps' share what it knows.

    private struct Path {
        var hub: StoredHub
        var identity: LinkIdentity
        var pinned: PinnedHubs
        var candidates: WayCandidates
        /// The way through the relay; `nil` if there is none.
        var away: AwayWay?
        /// The way of the agent's own session, or of its last one.
        var current = Way.near
        /// Looks for the near way while the agent's own session is on the other.
        var watch: Task<Void, Never>?
        let times = HubTimes()
    }

    private struct State {
        var ways: [UUID: Path] = [:]
        /// The addresses that mDNS lists, by the hubs' IDs on the network.
        var found: [ServiceInstance: (id: String, addresses: [String])] = [:]
        /// Tries to reach a hub now.
        var wake: (@Sendable (UUID) -> Void)?
        /// Tells that a hub is on this network while the agent's own session is through the relay.
        var appeared: (@Sendable (UUID) -> Void)?
        /// The ways through relays to hubs that were not connected yet.
        var places: [UUID: AwayPlace] = [:]
    }

    private let state = Mutex(State())
    private let discovery: (any ServiceDiscovery)?
    private let log: Logger
    /// Stores a hub whose addresses have changed.
    private let store: @Sendable (StoredHub) -> Void

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - discovery: The network on which hubs announce themselves; `nil` to look nowhere.
    ///   - store: A closure that stores a hub whose addresses have changed.
    package init(
        discovery: (any ServiceDiscovery)?,
        log: Logger,
        store: @escaping @Sendable (StoredHub) -> Void
    ) {
        self.discovery = discovery
        self.log = log
        self.store = store
    }

    /// Follows what hubs announce, until the task is cancelled.
    package func browse() async {
        guard let discovery, let type = try? ServiceType(HubAdvertisement.serviceType) else { return }
        for await event in discovery.services(of: type) { handle(event) }
    }

    private func handle(_ event: BrowseEvent) {
        switch event {
        case .found(let service), .changed(let service):
            guard let id = service.txt[HubAdvertisement.idKey] else { return }
            let addresses = service.addresses.prefix(AgentLimits.addresses).map {
                HostAddress.text(host: "\($0)", port: Int(service.port))
            }
            let (wake, hubs) = state.withLock { state -> ((@Sendable (UUID) -> Void)?, [UUID]) in
                guard state.found.count < AgentLimits.announcements || state.found[service.instance] != nil else {
                    return (nil, [])
                }
                state.found[service.instance] = (id, Array(addresses))
                return (state.wake, state.ways.values.filter { $0.pinned.isFound(as: id) }.map(\.hub.id))
            }
            for hub in hubs {
                wake?(hub)
                Task { await lookForNear(hub) }
            }
        case .gone(let instance):
            // A goodbye forgets nothing: the addresses that led to the hub stay.
            state.withLock { $0.found[instance] = nil }
        }
    }

    /// Returns the addresses at which a hub announces itself now.
    package func announced(_ id: String) -> [String] {
        state.withLock { state in
            state.found.values.filter { $0.id == id }.flatMap(\.addresses).sorted()
        }
    }

    /// Returns the hubs that announce themselves now, with their addresses.
    package func announcedHubs() -> [(instance: ServiceInstance, addresses: [String])] {
        let found = state.withLock { $0.found }
        return found.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value.addresses.sorted()) }
    }

    /// Sets what to do when there is a hint that a hub is there.
    package func onHint(_ wake: @escaping @Sendable (UUID) -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Forgets a hub that the device has left.
    package func forget(_ hub: UUID) {
        let way = state.withLock { state in
            state.places[hub] = nil
            return state.ways.removeValue(forKey: hub)
        }
        way?.watch?.cancel()
        way?.away?.stop()
    }

    /// Returns a transport to a hub: for the agent's own session to the next address to try, for others to the one at which
    /// the agent's own session is.
    package func transport(to hub: StoredHub, isOwn: Bool) -> any HubTransport {
        do {
            let way = try way(to: hub)
            guard let away = way.away else {
                if isOwn { setCurrent(.near, of: hub.id) }
                return TimedTransport(nearTransport(to: hub, way, isOwn: isOwn), way.times) { .near }
            }
            guard isOwn else {
                let transport =
                    way.current == .away
                    ? Self.awayTransport(to: hub, way, away) : nearTransport(to: hub, way, isOwn: false)
                return TimedTransport(transport, way.times) { way.current }
            }
            let racing = RacingTransport(
                near: { [weak self] onOpen in
                    self?.nearTransport(to: hub, way, isOwn: true, onOpen) ?? NoTransport(Self.unknown(hub))
                },
                away: { Self.awayTransport(to: hub, way, away, $0) },
                headStart: AgentLimits.nearHeadStart
            ) { [weak self] in self?.setCurrent($0, of: hub.id) }
            return TimedTransport(racing, way.times) { [weak self] in self?.current(hub.id) ?? .near }
        } catch {
            let reason = "The key for “\(hub.name)” can't be used: \(error). Join again."
            return NoTransport(HubError(.storeFailure, reason))
        }
    }

    private static func unknown(_ hub: StoredHub) -> HubError {
        HubError(.noHub, "No address of “\(hub.name)” is known. Check that it is on this network.")
    }

    /// Returns a transport to a hub on this network.
    private func nearTransport(
        to hub: StoredHub,
        _ way: Path,
        isOwn: Bool,
        _ onOpen: @escaping @Sendable () -> Void = {}
    ) -> any HubTransport {
        guard let address = next(hub.id, isOwn: isOwn) else { return NoTransport(Self.unknown(hub)) }
        guard isOwn, way.pinned.keys.count > 1, let other = next(hub.id, isOwn: true), other != address else {
            return nearTransport(to: hub, way, at: address, isOwn: isOwn, onOpen)
        }
        // The other hub need not wait until the first one's host has had its time.
        return RacingTransport(
            near: { [weak self] won in
                self?.nearTransport(to: hub, way, at: address, isOwn: true, won) ?? NoTransport(Self.unknown(hub))
            },
            away: { [weak self] won in
                self?.nearTransport(to: hub, way, at: other, isOwn: true, won) ?? NoTransport(Self.unknown(hub))
            },
            headStart: AgentLimits.nearHeadStart
        ) { _ in onOpen() }
    }

    private func nearTransport(
        to hub: StoredHub,
        _ way: Path,
        at address: String,
        isOwn: Bool,
        _ onOpen: @escaping @Sendable () -> Void
    ) -> any HubTransport {
        guard let socket = HostAddress.socketAddress(address) else { return NoTransport(Self.unknown(hub)) }
        let transport = LinkTransport(to: socket, as: way.identity, hubs: way.pinned.keys, onOpen: onOpen)
        return isOwn ? ProvingTransport(transport) { [weak self] in self?.proved(address, of: hub.id) } : transport
    }

    /// Returns a transport to a hub through its relay.
    private static func awayTransport(
        to hub: StoredHub,
        _ way: Path,
        _ away: AwayWay,
        _ onOpen: @escaping @Sendable () -> Void = {}
    ) -> any HubTransport {
        let end = Mutex<PipeEnd?>(nil)
        return LinkTransport(through: "the relay", as: way.identity, hubs: way.pinned.keys, onOpen: onOpen) {
            end.withLock { $0 }.flatMap { HubError($0) }
        } connect: {
            try await away.open { reason in end.withLock { $0 = reason } }
        }
    }

    /// Returns what is known of the way to a hub.
    private func way(to hub: StoredHub) throws -> Path {
        let known = state.withLock { $0.ways[hub.id] }
        let way: Path
        if let known {
            way = known
        } else {
            guard let bytes = Data(base64Encoded: hub.key), let key = PublicKey(bytes),
                let pinned = try? PinnedHubs(joined: key, list: hub.hubs.map { Array($0) }),
                let own = IdentityKey(seed: hub.seed)
            else { throw HubError(.storeFailure, "its stored form is damaged") }
            way = Path(
                hub: hub,
                identity: try LinkIdentity(own),
                pinned: pinned,
                candidates: WayCandidates(proved: hub.addresses)
            )
        }
        return state.withLock { state in
            var way = state.ways[hub.id] ?? way
            if way.away == nil, let place = state.places[hub.id] { way.away = AwayWay(place, log: log) }
            state.ways[hub.id] = way
            return way
        }
    }

    /// Returns the next address to try, or the one at which the agent's own session is.
    private func next(_ hub: UUID, isOwn: Bool) -> String? {
        state.withLock { state in
            guard var way = state.ways[hub] else { return nil }
            let hubs = state.found.values.filter { way.pinned.isFound(as: $0.id) }
            // Where the hub was last is tried first, and then the other hub.
            let last = way.candidates.proved.first
            let found = hubs.sorted { first, second in
                let isHub = [first, second].map { hub in last.map { hub.addresses.contains($0) } ?? false }
                return isHub[0] == isHub[1] ? first.addresses.lexicographicallyPrecedes(second.addresses) : !isHub[0]
            }
            .flatMap { $0.addresses.sorted() }
            defer { state.ways[hub] = way }
            return isOwn ? way.candidates.next(found: found) : way.candidates.best(found: found)
        }
    }

    // MARK: Several hubs

    /// Takes the signed list of the hubs that keep the homes of a joined hub, and stores it.
    ///
    /// - Returns: The hubs that the device believes from now on, and those that it doesn't any longer.
    /// - Throws: ``HomeIdentity/HubListError``; nothing has changed then.
    package func take(_ list: [UInt8], of hub: UUID) throws(HubListError) -> PinnedHubs.Change {
        try pin(hub) { pinned throws(HubListError) in try pinned.take(list) }
    }

    /// Takes the signed lists of hubs that lead from the one that is stored to the present one, and stores that.
    ///
    /// - Returns: What has changed.
    /// - Throws: ``HomeIdentity/HubListError``; nothing has changed then.
    package func take(_ lists: HubListChain, of hub: UUID) throws(HubListError) -> PinnedHubs.Change {
        try pin(hub) { pinned throws(HubListError) in try pinned.take(lists) }
    }

    private func pin(
        _ hub: UUID,
        _ take: (inout PinnedHubs) throws(HubListError) -> PinnedHubs.Change
    ) throws(HubListError) -> PinnedHubs.Change {
        let outcome = state.withLock { state -> Result<(StoredHub?, PinnedHubs.Change), HubListError> in
            guard var way = state.ways[hub] else { return .success((nil, PinnedHubs.Change())) }
            do throws(HubListError) {
                let before = way.pinned
                let change = try take(&way.pinned)
                guard way.pinned != before else { return .success((nil, change)) }
                way.hub.hubs = way.pinned.list.map { Data($0.bytes) }
                state.ways[hub] = way
                return .success((way.hub, change))
            } catch {
                return .failure(error)
            }
        }
        let (changed, change) = try outcome.get()
        if let changed { store(changed) }
        return change
    }

    /// Returns whether two hubs keep the homes of a joined hub.
    package func isOneOfTwo(_ hub: UUID) -> Bool {
        state.withLock { $0.ways[hub].map { $0.pinned.keys.count > 1 } } ?? false
    }

    // MARK: The way through the relay

    /// Sets where a hub is reached from away; `nil` for nowhere. Connections that are open stay.
    package func setAway(_ place: AwayPlace?, of hub: UUID) {
        let (former, settled) = state.withLock { state -> (AwayWay?, StoredHub?) in
            let present = state.ways[hub]?.away
            if let place, let present, present.place.isSame(place) { return (nil, nil) }
            state.places[hub] = place
            state.ways[hub]?.away = place.map { AwayWay($0, log: log) }
            // With a feed, the door through which the device came isn't needed again.
            guard place?.feed != nil, state.ways[hub]?.hub.door != nil else { return (present, nil) }
            state.ways[hub]?.hub.door = nil
            return (present, state.ways[hub]?.hub)
        }
        guard let settled else { return former?.stop() ?? () }
        store(settled)
        // The relay learns of the device's right to its feed just then, and until it knows, the door leads to the hub.
        Task {
            try? await Task.sleep(for: AgentLimits.attemptTime)
            former?.stop()
        }
    }

    /// The way of the agent's own session to a hub, or of its last one.
    package func current(_ hub: UUID) -> Way { state.withLock { $0.ways[hub]?.current } ?? .near }

    /// Sets what to do when a hub is on this network while the agent's own session is through the relay.
    package func onNear(_ appeared: @escaping @Sendable (UUID) -> Void) {
        state.withLock { $0.appeared = appeared }
    }

    private func setCurrent(_ current: Way, of hub: UUID) {
        let watch = state.withLock { state -> Task<Void, Never>? in
            guard state.ways[hub] != nil else { return nil }
            state.ways[hub]?.current = current
            let former = state.ways[hub]?.watch
            state.ways[hub]?.watch =
                current == .near
                ? nil
                : former
                    ?? Task { [weak self] in
                        while !Task.isCancelled {
                            try? await Task.sleep(for: AgentLimits.nearCheck)
                            await self?.lookForNear(hub)
                        }
                    }
            return current == .near ? former : nil
        }
        watch?.cancel()
        if watch != nil { leaveAway(hub) }
    }

    /// Ends the stream to a hub's relay, if it isn't needed again soon. Sessions move to the near way first.
    private func leaveAway(_ hub: UUID) {
        Task { [weak self] in
            try? await Task.sleep(for: AgentLimits.awayLinger)
            let away = self?.state.withLock { state in
                state.ways[hub].flatMap { $0.current == .near ? $0.away : nil }
            }
            away?.stop()
        }
    }

    /// Looks for a hub on this network, if the agent's own session is through the relay. A handshake is enough to know.
    private func lookForNear(_ hub: UUID) async {
        guard let way = state.withLock({ $0.ways[hub] }), way.current == .away, let address = next(hub, isOwn: true),
            let socket = HostAddress.socketAddress(address)
        else { return }
        let (openings, opened) = AsyncStream.makeStream(of: Bool.self)
        let probe = LinkTransport(to: socket, as: way.identity, hubs: way.pinned.keys) {
            opened.yield(true)
            opened.finish()
        }
        probe.open { message in
            if case .closed = message { opened.finish() }
        }
        let timeout = Task {
            try? await Task.sleep(for: AgentLimits.attemptTime)
            opened.finish()
        }
        let isThere = await openings.first { $0 } == true
        timeout.cancel()
        probe.close()
        guard isThere, !Task.isCancelled else { return }
        proved(address, of: hub)
        let appeared = state.withLock { $0.ways[hub]?.current == .away ? $0.appeared : nil }
        appeared?(hub)
    }

    /// Records that a hub has proved at an address that it is the hub.
    private func proved(_ address: String, of hub: UUID) {
        let changed = state.withLock { state -> StoredHub? in
            guard var way = state.ways[hub] else { return nil }
            way.candidates.prove(address)
            let isNews = way.hub.addresses != way.candidates.proved
            way.hub.addresses = way.candidates.proved
            state.ways[hub] = way
            return isNews ? way.hub : nil
        }
        if let changed { store(changed) }
    }
}

/// The addresses at which a hub may be, in the order in which they are tried.
struct WayCandidates: Hashable, Sendable {
    /// The addresses at which the hub was, the last one first, and then those of the link.
    private(set) var proved: [String]
    /// The addresses of the present round that were not tried yet.
    private var round: [String] = []

    init(proved: [String]) {
        self.proved = proved
    }

    /// Returns the next address to try: of each round first the one at which the hub was last, then what mDNS lists, then
    /// the others.
    mutating func next(found: [String]) -> String? {
        if round.isEmpty {
            var seen: Set<String> = []
            round = (proved.prefix(1) + found + proved.dropFirst()).filter { seen.insert($0).inserted }
        }
        return round.isEmpty ? nil : round.removeFirst()
    }

    /// Returns the address at which the hub most likely is.
    func best(found: [String]) -> String? { proved.first ?? found.first }

    /// Records the address at which the hub is.
    mutating func prove(_ address: String) {
        proved.removeAll { $0 == address }
        proved.insert(address, at: 0)
        proved = Array(proved.prefix(AgentLimits.addresses))
        round = []
    }
}

/// A transport of the agent's own session, which says once when the hub at its other end has proved to be the hub.
private final class ProvingTransport: HubTransport {
    // This is a class because it is one connection.

    private let inner: any HubTransport
    private let onProof: Mutex<(@Sendable () -> Void)?>

    init(_ inner: any HubTransport, onProof: @escaping @Sendable () -> Void) {
        self.inner = inner
        self.onProof = Mutex(onProof)
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        inner.open { message in
            // Nothing is delivered before the keys were checked.
            if case .closed = message {} else { self.onProof.withLock { $0.take() }?() }
            receive(message)
        }
    }

    func send(_ request: HubRequest) { inner.send(request) }
    func close() { inner.close() }
}

/// A transport that leads nowhere.
struct NoTransport: HubTransport {
    private let error: HubError

    init(_ error: HubError) {
        self.error = error
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) { receive(.closed(error)) }
    func send(_ request: HubRequest) {}
    func close() {}
}

extension PinnedHubs {
    /// Returns whether one of the hubs announces itself under an ID.
    fileprivate func isFound(as id: String) -> Bool { keys.contains { $0.discoveryID == id } }
}
