import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI
import Logging

/// The hub's connections to accessory servers: one supervised session for each pairing.
///
/// A server is *joining* while it is being added, a *member* while the home has its accessories, and *leaving* once
/// they are removed but the server still holds the home's pairing. The removal of a pairing whose accessories are in no
/// home is scheduled: at every start of the hub such servers are leaving.
actor AccessoryConnections {
    enum Phase {
        /// The server's accessories are awaited, or are being added to the home.
        case joining(Submission<Result<[AccessoryAttributes], HubError>>)
        case member
        case leaving
    }

    struct Link {
        let home: UUID
        let pairing: AccessoryPairing
        let session: AccessorySession
        fileprivate let reports: SessionReports
        let pump: Task<Void, Never>
        /// The home's accessories on this server, and where their values go.
        let values: MemberValues
        var phase: Phase
        /// Whether the member is blocked: its session is not started.
        let isBlocked: Bool
        /// The addresses that were known when the link was opened.
        let addresses: [AccessoryAddress]
        var attributes: [AccessoryAttributes]?
        /// The arrival of the attributes.
        var attributesArrival = ArrivalOrder.next()
        /// The address at which the server was last verified, as the vault stores it.
        var address: AccessoryAddress?
        /// The characteristics to whose events the session is subscribed. It subscribes again after every reconnect.
        var subscribed: Set<CharacteristicID> = []
    }

    let database: HomeDatabase
    let discovery: AccessoryDiscovery
    let vault: PairingVault
    let pairer: AccessoryPairer
    /// Recovers from interrupted pairings.
    let recovery: PairingRecovery
    let live: LiveState
    let configuration: SessionConfiguration
    private let hub: Caller
    let log: Logger
    private let metrics: HubMetrics
    var links: [DeviceID: Link] = [:]
    /// The removals of pairings that are in progress.
    var removals: [DeviceID: Task<Void, Never>] = [:]
    /// What is owed to the other hubs of the homes.
    var duties = ControllerDuties()
    /// The servers at which that is being settled.
    var settling: [DeviceID: Task<Void, Never>] = [:]
    /// The servers at which it has to be settled once more after that.
    var isSettlingAgain: Set<DeviceID> = []
    /// The servers that the other hub has paired, as it has told.
    var otherHubsServers: Set<DeviceID> = []
    /// The write of ``duties`` that is in progress.
    var storing: Task<Void, any Error>?

    init(
        database: HomeDatabase,
        discovery: AccessoryDiscovery,
        vault: PairingVault,
        live: LiveState,
        session configuration: SessionConfiguration = SessionConfiguration(),
        pairer: AccessoryPairer = AccessoryPairer(),
        hub: Caller,
        log: Logger,
        metrics: HubMetrics = .none
    ) {
        self.database = database
        self.discovery = discovery
        self.vault = vault
        self.pairer = pairer
        recovery = PairingRecovery(vault: vault, pairer: pairer, log: log)
        self.live = live
        self.configuration = configuration
        self.hub = hub
        self.log = log
        self.metrics = metrics
    }

    deinit {
        for link in links.values { link.endReports() }
    }

    // MARK: Life

    /// Opens a session for every stored pairing.
    func start() async throws {
        var leaving: [(home: UUID, pairing: AccessoryPairing)] = []
        let homes = await database.homes
        try await recovery.start(homes: homes.map(\.id))
        duties = try await vault.duties()
        for home in homes {
            for pairing in try await vault.pairings(of: home.id) {
                guard !home.accessories(onServer: pairing.deviceID.description).isEmpty else {
                    leaving.append((home.id, pairing))
                    continue
                }
                try await vault.cancelRemoval(of: pairing.deviceID)
                let address = try await vault.address(of: pairing.deviceID)
                let isBlocked = home.blocks(pairing.deviceID)
                await open(
                    pairing,
                    in: home.id,
                    at: [address].compactMap(\.self),
                    phase: .member,
                    isBlocked: isBlocked
                )
            }
        }
        for (home, pairing) in leaving {
            guard links[pairing.deviceID] == nil else {
                // It has accepted another home's pairing since, so it no longer holds this one.
                try await vault.removePairing(pairing.deviceID, in: home)
                continue
            }
            let address = try await vault.address(of: pairing.deviceID)
            await open(pairing, in: home, at: [address].compactMap(\.self), phase: .leaving)
        }
        for pairing in try await vault.scheduledRemovals() where links[pairing.deviceID] == nil {
            // The home was removed, so no record refers to its ID any longer. A random ID will do.
            let address = try await vault.address(of: pairing.deviceID)
            await open(pairing, in: UUID(), at: [address].compactMap(\.self), phase: .leaving)
        }
    }

    /// Ends all sessions.
    func stop() async {
        let ending = Array(links.values)
        links = [:]
        for link in ending { link.endReports() }
        for link in ending { await end(link) }
        for task in settling.values { await task.value }
        await recovery.stop()
    }

    /// Returns the session to a server, or `nil` if the hub has no pairing with it.
    func session(to server: DeviceID) -> AccessorySession? {
        links[server]?.session
    }

    /// Returns the member servers with the given long-term public key.
    func members(withKey key: LongTermPublicKey) -> [(home: UUID, server: DeviceID)] {
        links.compactMap { deviceID, link in
            guard case .member = link.phase, link.pairing.accessoryPublicKey == key else { return nil }
            return (link.home, deviceID)
        }
    }

    // MARK: Events from discovery

    /// Handles a change to the servers on the network.
    func handle(_ event: AccessoryDiscovery.Event) async {
        switch event {
        case .seen(let server):
            await recovery.update(server.deviceID, to: server.addresses)
            guard let link = links[server.deviceID], !link.isBlocked else { return }
            let session = link.session
            session.update(addresses: server.addresses)
            if let number = server.configurationNumber { session.configurationDidChange(number: number) }
        case .gone(let deviceID):
            guard let link = links[deviceID], !link.isBlocked else { return }
            link.session.didReceiveGoodbye()
        }
    }

    // MARK: Links

    /// Opens a session to a server, and replaces the existing link if there is one.
    @discardableResult
    func open(
        _ pairing: AccessoryPairing,
        in home: UUID,
        at addresses: [AccessoryAddress],
        phase: Phase,
        isBlocked: Bool = false
    ) async -> AccessorySession {
        let deviceID = pairing.deviceID
        let reports = SessionReports()
        let values = MemberValues(in: home, live: live)
        let watch = AccessorySessionObserver(deviceID, metrics: metrics, log: log)
        let session = AccessorySession(
            pairing: pairing,
            addresses: addresses,
            configuration: configuration,
            onEvent: { event in
                let arrival = ArrivalOrder.next()
                if case .values(let changes) = event,
                    reports.ifNoneWaits({ values.publishEvent(changes, arrived: arrival) })
                {
                    return
                }
                reports.add(.event(event, arrival))
            },
            onActivity: watch.record
        )
        let pump = Task { [weak self] in
            while let report = await reports.next() {
                guard case .event(let event, let arrival) = report else { continue }
                await self?.handle(event, arrived: arrival, from: deviceID, session)
            }
        }
        // What an earlier session still reports is ignored.
        links[deviceID]?.endReports()
        links[deviceID] = Link(
            home: home,
            pairing: pairing,
            session: session,
            reports: reports,
            pump: pump,
            values: values,
            phase: phase,
            isBlocked: isBlocked,
            addresses: addresses
        )
        if case .joining = phase {} else { await discovery.setMembership(of: deviceID, true) }
        if case .member = phase { await publishUnreachable(deviceID, because: HubError(AccessoryTrouble.connecting)) }
        guard !isBlocked, links[deviceID]?.session === session else { return session }
        session.start()
        if let server = await discovery.server(deviceID) { await handle(.seen(server)) }
        return session
    }

    /// Waits until everything that a server's session has reported is handled.
    func catchUp(with deviceID: DeviceID) async {
        guard let reports = links[deviceID]?.reports else { return }
        await withCheckedContinuation { reports.add(.marker(SessionReports.Marker($0))) }
    }

    /// Ends a link that was already removed from ``links``.
    func end(_ link: Link) async {
        link.endReports()
        link.pump.cancel()
        if case .joining(let description) = link.phase { description.resolve(.failure(Self.joinCanceled)) }
        await link.session.stop()
    }

    // MARK: Events from sessions

    private func handle(
        _ event: AccessorySessionEvent,
        arrived arrival: ArrivalOrder,
        from deviceID: DeviceID,
        _ session: AccessorySession
    ) async {
        // Late events from an earlier session are ignored.
        guard let link = links[deviceID], link.session === session else { return }
        switch event {
        case .ready(let attributes):
            if link.attributes == nil {
                let metadata: Logger.Metadata = [LogKey.accessory: "\(deviceID)", LogKey.home: "\(link.home)"]
                log.info("An accessory is reachable.", metadata: metadata)
            }
            links[deviceID]?.attributes = attributes
            links[deviceID]?.attributesArrival = arrival
            await rememberAddress(of: deviceID, session)
            switch link.phase {
            case .joining(let description):
                description.resolve(.success(attributes))
            case .member:
                await update(deviceID, to: attributes)
                await publishAccessories(of: deviceID)
                settleDuties(with: deviceID)
            case .leaving:
                await removePairing(from: deviceID)
            }
        case .values(let changes):
            link.values.publishEvent(changes, arrived: arrival)
        case .unreachable(let cause):
            let place: Logger.Metadata = [LogKey.accessory: "\(deviceID)", LogKey.home: "\(link.home)"]
            log.info("An accessory is unreachable.", metadata: place.merging(cause.metadata) { $1 })
            links[deviceID]?.attributes = nil
            if cause.raisesDoubt { await discovery.reconfirm(deviceID) }
            switch link.phase {
            case .joining(let description):
                if cause.isFinal { description.resolve(.failure(HubError(cause))) }
            case .member:
                await publishUnreachable(deviceID, because: cause)
            case .leaving:
                if cause == .pairingForgotten { await forget(deviceID) }
            }
        }
    }

    private func rememberAddress(of deviceID: DeviceID, _ session: AccessorySession) async {
        guard let address = await session.provenAddress, let link = links[deviceID], link.session === session,
            link.address != address
        else { return }
        links[deviceID]?.address = address
        do {
            try await vault.remember(address, of: deviceID)
        } catch {
            let metadata: Logger.Metadata = [LogKey.accessory: "\(deviceID)", LogKey.error: "\(error)"]
            log.error("An accessory's address could not be stored.", metadata: metadata)
        }
    }

    /// Updates the homes with the descriptions of all members that are connected, because a hub leads now.
    func updateMembers() async {
        for (deviceID, link) in links {
            guard case .member = link.phase, let attributes = link.attributes else { continue }
            await update(deviceID, to: attributes)
        }
    }

    /// Updates the home with the changes to a member's accessories and services.
    func update(_ deviceID: DeviceID, to attributes: [AccessoryAttributes]) async {
        guard let link = links[deviceID] else { return }
        let candidates = await candidates(attributes, of: deviceID)
        do throws(HubError) {
            let request = UpdateAccessories(candidates, server: deviceID.description)
            try await database.submit(request, in: link.home, asHub: hub).committed()
        } catch  where error.code == .noLeader {
            // Of two hubs, both do it again when one leads.
            log.debug("The home isn't updated before a hub leads.", metadata: [LogKey.accessory: "\(deviceID)"])
        } catch {
            log.error(
                "The home could not be updated from an accessory's description, and stays unchanged.",
                metadata: [
                    LogKey.accessory: "\(deviceID)", LogKey.home: "\(link.home)", LogKey.code: "\(error.code.rawValue)",
                ]
            )
        }
    }

    /// Returns a server's accessories as candidates for the home.
    func candidates(_ attributes: [AccessoryAttributes], of deviceID: DeviceID) async -> [AccessoryCandidate] {
        let category = await discovery.server(deviceID)?.category
        let primary = await discovery.identity(of: deviceID)
        return attributes.map { accessory in
            let isPrimary = accessory.aid == HAPLimits.primaryAccessoryID
            return AccessoryCandidate(
                accessory,
                category: isPrimary ? category : nil,
                id: isPrimary ? primary : UUID()
            )
        }
    }
}

extension AccessoryConnections.Link {
    /// Drops what its session reports from now on.
    func endReports() {
        reports.end()
        values.end()
    }
}

extension UnreachableCause {
    /// Whether the accessory may have left the network without a goodbye (RFC 6762 section 10.4).
    fileprivate var raisesDoubt: Bool {
        switch self {
        case .refused, .timedOut, .noRoute, .otherAccessory: true
        default: false
        }
    }

    /// Whether waiting for the accessory won't help.
    fileprivate var isFinal: Bool {
        switch self {
        case .verifyFailed, .otherAccessory, .identityChanged, .pairingForgotten, .pairingRefused, .httpError,
            .protocolViolation:
            true
        case .notAdvertised, .refused, .timedOut, .noRoute, .busy, .connectionLost: false
        }
    }
}
