import Consensus
import DNSSD
import Foundation
package import HomeHub
package import HomeIdentity
package import HubNetwork
package import Logging
import NIOCore
package import Replication
import Synchronization

/// Keeps the connection to the other hub of the list, while there is one, and exchanges with it what each tells of itself.
///
/// A hub that is alone has no connection and looks for none.
package actor HubLinkService {
    // This is an actor because the connection follows the list, one change after the other.

    let hub: HomeHub
    let logger: Logger
    private let relay: @Sendable (HubList) -> any RelayVoting
    private var following: Task<Void, Never>?
    /// What ends with the connection.
    private var tasks: [Task<Void, Never>] = []
    /// What the hubs ask each other on the connection.
    private var exchange: LeaderExchange?
    /// The homes of which the other hub has told.
    private var homes: Set<UUID> = []
    /// What the other hub has told last, of which a part may concern homes that this hub gets later.
    private var told: [UInt8]?
    /// What this hub has told last on this connection.
    private var sent: [UInt8]?
    /// What waits until a hub that is no longer in the list has ended the connection.
    private var farewell: CheckedContinuation<Void, Never>?
    /// Looks for the hubs that are wanted, by multicast DNS.
    private var browsing: Task<Void, Never>?
    nonisolated let state = Mutex(State())

    struct State {
        var link: HubLink?
        var replicator: Replicator?
        /// The connections to hubs that were removed and haven't been told.
        var formerLinks: [PublicKey: FormerHubLink] = [:]
        /// The addresses at which hubs announce themselves, with the ID of their key.
        var found: [ServiceInstance: (id: String, addresses: [SocketAddress])] = [:]
    }

    /// The maximum number of hubs on the network whose addresses are remembered.
    private static let maximumAnnouncements = 64

    /// The maximum time in which a hub that is no longer in the list can take that.
    private static let farewellTime = Duration.seconds(2)

    /// Creates the service; ``start()`` begins it.
    ///
    /// - Parameter relay: A closure that returns the relay as a voter, for a list of hubs; by default there is none.
    package init(
        _ hub: HomeHub,
        logger: Logger,
        relay: @escaping @Sendable (HubList) -> any RelayVoting = { _ in NoRelay() }
    ) {
        self.hub = hub
        self.logger = logger
        self.relay = relay
    }

    /// Returns the link to the hub with a key, for the listener.
    package nonisolated func link(to key: PublicKey) -> HubLink? {
        state.withLock { $0.link?.peer == key ? $0.link : $0.formerLinks[key]?.link }
    }

    /// Whether the other hub is connected.
    package nonisolated var isConnected: Bool { state.withLock { $0.link?.isConnected } ?? false }

    /// What this hub is to the homes; `nil` if it is alone, or isn't one of two yet.
    package nonisolated var role: HubRole? {
        get async { await state.withLock { $0.replicator }?.role }
    }

    /// Begins to follow the list of hubs.
    package func start() {
        guard following == nil else { return }
        following = Task { [hub, weak self] in
            for await members in hub.listedHubs { await self?.follow(members) }
        }
    }

    /// Ends the connection.
    package func stop() async {
        following?.cancel()
        browsing?.cancel()
        await state.withLock({ $0.replicator.take() })?.stop()
        end()
        leaveFormerHubs()
    }

    private func end() {
        state.withLock { $0.link.take() }?.stop()
        for task in tasks { task.cancel() }
        tasks = []
        exchange?.handle(.disconnected)
        exchange = nil
        (homes, told, sent) = ([], nil, nil)
    }

    private func follow(_ members: [HubMember]) async {
        await followOther(of: members)
        tellFormerHubs()
        hub.closeDoorOfFormerHub()
        browse()
    }

    private func followOther(of members: [HubMember]) async {
        let own = hub.identity.publicKey
        let isListed = members.contains { $0.key == own }
        let other = isListed ? members.first { $0.key != own } : nil
        let former = state.withLock { $0.link }
        guard former?.peer != other?.key else { return }
        // A hub that is no longer in the list hears so now if it is connected, and otherwise when it is back.
        if let former, former.isConnected {
            await introduce(over: former)
            if former.isConnected { await waitForFarewell() }
        }
        if !isListed, !members.isEmpty {
            logger.warning("The other hub has removed this one: it keeps the homes no longer.")
        }
        if let replicator = state.withLock({ $0.replicator.take() }) {
            await replicator.stop()
            await hub.endPair()
        }
        end()
        hub.closeDoorOfFormerHub()
        await hub.releaseFormerHubs()
        if !isListed, !members.isEmpty { await hub.depart() }
        guard let other, let list = hub.hubList else { return }
        let (stream, continuation) = AsyncStream.makeStream(of: HubLink.Event.self)
        let link: HubLink
        do {
            link = HubLink(
                to: other.key,
                as: try LinkIdentity(hub.identity),
                connects: members.last?.key == own,
                ways: { [hub, weak self] in self?.ways(to: other.key, lastAt: hub.otherHubAddresses) ?? [] },
                log: logger
            ) { continuation.yield($0) }
        } catch {
            return logger.error("This hub's key can't be used.", metadata: ["error": "\(error)"])
        }
        let transfers = HubTransfers(over: link, in: hub.transferFolder) { [weak self] file, note in
            guard let replicator = self?.state.withLock({ $0.replicator }), let term = LinkedHub.numbers(note)?.first,
                let position = try? await replicator.receiveBase(file, term: term)
            else { return nil }
            return LinkedHub.bytes([position.place, position.term])
        }
        state.withLock { $0.link = link }
        do {
            let replicator = try await hub.startPair(
                with: other.id,
                over: LinkedHub(link: link, transfers: transfers),
                isConnected: { link.isConnected },
                relay: relay(list)
            )
            state.withLock { $0.replicator = replicator }
        } catch {
            logger.error("The homes can't be kept the same as the other hub's.", metadata: ["error": "\(error)"])
        }
        let exchange = LeaderExchange(over: link, of: hub)
        self.exchange = exchange
        tasks = [
            Task { [weak self] in
                for await event in stream {
                    await transfers.handle(event)
                    exchange.handle(event)
                    await self?.handle(event, of: other, link, transfers)
                }
            },
            Task { [hub, weak self] in
                for await _ in hub.introductionChanges { await self?.homesDidChange(of: other, link) }
            },
        ]
        link.begin()
    }

    /// Waits until the other hub, which is no longer in the list, has taken that and ended the connection.
    private func waitForFarewell() async {
        let timeout = Task {
            try? await Task.sleep(for: Self.farewellTime)
            endFarewell()
        }
        await withCheckedContinuation { farewell = $0 }
        timeout.cancel()
    }

    private func endFarewell() {
        farewell?.resume()
        farewell = nil
    }

    // MARK: The other hub

    private func handle(
        _ event: HubLink.Event,
        of other: HubMember,
        _ link: HubLink,
        _ transfers: HubTransfers
    ) async {
        switch event {
        case .connected:
            sent = nil
            await introduce(over: link)
        case .frame(let frame) where frame.kind == .introduction:
            told = frame.content
            await take(frame.content, of: other, link)
            // One that is no longer in the list knows it now.
            if farewell != nil, !hub.formerHubs.contains(where: { $0.member == other }) { endFarewell() }
            return link.handled(frame)
        case .frame(let frame) where frame.kind == .vote:
            await state.withLock({ $0.replicator })?.receive(frame.content)
        case .frame(let frame) where frame.kind == .baseRequest:
            Task { await sendState(by: transfers) }
        case .disconnected: endFarewell()
        case .room, .frame: break
        }
        if case .frame(let frame) = event { link.handled(frame) }
    }

    /// Sends the whole state to a hub that joins.
    private func sendState(by transfers: HubTransfers) async {
        let file = hub.transferFolder.appending(path: "base-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            _ = try await hub.makeBase(at: file)
            _ = try await transfers.send(file, note: [])
        } catch {
            // One that has them ends the connection, and one that lost it asks again.
            let reason = "The joining hub ended the connection before it said that it has the homes."
            logger.info("\(reason)", metadata: ["error": "\(error)"])
        }
    }

    private func take(_ bytes: [UInt8], of other: HubMember, _ link: HubLink) async {
        guard let told = await hub.take(introduction: bytes, of: other.id) else {
            return logger.warning("What the other hub tells of itself can't be read. Update Hearth on both hubs.")
        }
        homes = told
        await introduce(over: link)
    }

    private func homesDidChange(of other: HubMember, _ link: HubLink) async {
        if let told { await take(told, of: other, link) } else { await introduce(over: link) }
    }

    /// Tells the other hub of this one, unless it knows.
    private func introduce(over link: HubLink) async {
        do {
            let bytes = try await hub.introduction(alsoOf: homes)
            guard bytes != sent, let frame = HubFrame(.introduction, bytes) else { return }
            // What isn't taken is told at the next connection.
            if link.send(frame) { sent = bytes }
        } catch {
            logger.error("The other hub can't be told of this one.", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Where it is

    /// Looks for hubs on the network as long as one is wanted.
    private func browse() {
        guard state.withLock({ $0.link != nil || !$0.formerLinks.isEmpty }) else {
            browsing?.cancel()
            browsing = nil
            return
        }
        guard browsing == nil, let type = try? ServiceType(HubAdvertisement.serviceType) else { return }
        browsing = Task { [hub, weak self] in
            for await event in hub.announcedHubs(of: type) { self?.handle(event) }
        }
    }

    /// Returns where a hub may be, the best first.
    ///
    /// - Parameter addresses: Where it was last.
    nonisolated func ways(to key: PublicKey, lastAt addresses: [HubAddress]) -> [HubWay] {
        let announced = state.withLock { state in
            state.found.values.filter { $0.id == key.discoveryID }.flatMap(\.addresses)
        }
        let known = addresses.compactMap { address in
            try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address.ip), port: Int(address.port))
        }
        var seen: Set<SocketAddress> = []
        return (announced + known).filter { seen.insert($0).inserted }.map { .address($0) }
    }

    private nonisolated func handle(_ event: BrowseEvent) {
        switch event {
        case .found(let service), .changed(let service):
            guard let id = service.txt[HubAdvertisement.idKey] else { return }
            let addresses = service.addresses.compactMap {
                try? SocketAddress(ipAddress: "\($0)", port: Int(service.port))
            }
            let links = state.withLock { state -> [HubLink] in
                guard state.found.count < Self.maximumAnnouncements || state.found[service.instance] != nil else {
                    return []
                }
                state.found[service.instance] = (id, addresses)
                return [state.link].compactMap(\.self) + state.formerLinks.values.map(\.link)
            }
            for link in links where link.peer.discoveryID == id { link.hint() }
        case .gone(let instance):
            // A goodbye forgets nothing that has proved to be the hub.
            state.withLock { _ = $0.found.removeValue(forKey: instance) }
        }
    }
}
