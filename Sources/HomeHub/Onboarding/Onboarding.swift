import DNSSD
import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging
import WirelessSetup

/// Finds accessories that aren't on a network yet, and hands them the home's network.
///
/// The network's name and passphrase exist only while they are sent. They are neither stored nor logged.
actor Onboarding: HubPart {
    /// A configuration in progress.
    private struct Attempt {
        var monitor: JoinMonitor?
        var outcome: Outcome?
        var continuation: CheckedContinuation<Outcome, Never>?
    }

    /// The result of an attempt to join the network.
    private enum Outcome: Sendable {
        case joined([AccessoryAddress])
        case returned
        case timedOut
        case stopped
    }

    /// The time to wait for the HAP advertisement of an accessory that has joined the network.
    private static let advertisementTimeout = Duration.seconds(15)

    private let setup: (any ServiceDiscovery)?
    private let setupInterfaces: [InterfaceSelector]
    private let home: any ServiceDiscovery
    private let discovery: AccessoryDiscovery
    private let database: HomeDatabase
    private let questions: QuestionManager
    private let owner: UUID
    private let configurator = AccessoryConfigurator()
    private let joinTimeout: Duration
    private let log: Logger
    private var accessories = UnconfiguredAccessories()
    private var browsers: [HubSession.ID: HubSession] = [:]
    private var attempts: [DeviceID: Attempt] = [:]
    private var browsing: Task<Void, Never>?

    /// Creates the part.
    ///
    /// - Parameters:
    ///   - setup: The network in which accessories wait for their configuration; `nil` if the hub doesn't look for any.
    ///     The part shuts it down.
    ///   - setupInterfaces: The interfaces of that network.
    ///   - home: The home's network.
    ///   - discovery: The accessory servers in the home's network.
    ///   - owner: The hub's own user.
    ///   - joinTimeout: The time that an accessory has for joining the network.
    init(
        setup: (any ServiceDiscovery)?,
        setupInterfaces: [InterfaceSelector],
        home: any ServiceDiscovery,
        discovery: AccessoryDiscovery,
        database: HomeDatabase,
        questions: QuestionManager,
        owner: UUID,
        joinTimeout: Duration,
        log: Logger
    ) {
        self.setup = setup
        self.setupInterfaces = setupInterfaces
        self.home = home
        self.discovery = discovery
        self.database = database
        self.questions = questions
        self.owner = owner
        self.joinTimeout = joinTimeout
        self.log = log
    }

    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.startBrowsingUnconfigured) { (_, session) async throws(HubError) in
            try await self.startBrowsing(session)
            return .done(Empty())
        }
        router.on(HubMethods.stopBrowsingUnconfigured) { (_, session) async throws(HubError) in
            await self.sessionDidEnd(session.id)
            return .done(Empty())
        }
        router.on(HubMethods.configureAccessory) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.configure(parameters, for: session) }
        }
    }

    /// Starts looking for accessories.
    func start() {
        guard let setup else { return }
        browsing = Task { [weak self] in
            for await event in setup.services(of: .wirelessSetup) { await self?.handle(event) }
        }
    }

    func stop() async {
        browsing?.cancel()
        browsers = [:]
        for deviceID in attempts.keys { resolve(deviceID, .stopped) }
        await setup?.shutdown()
    }

    func sessionDidEnd(_ session: HubSession.ID) async { browsers[session] = nil }
}

// MARK: Browsing

extension Onboarding {
    private static let noSetupInterface = HubError(
        .noSetupInterface,
        "The hub doesn't look for accessories that aren't on the network. Start it with --setup-interface."
    )

    private func startBrowsing(_ session: HubSession) throws(HubError) {
        guard setup != nil else { throw Self.noSetupInterface }
        browsers[session.id] = session
        // The session may have closed before it was added.
        if session.isClosed { browsers[session.id] = nil }
        for accessory in accessories.list { session.deliver(.event(.unconfigured(accessory.listed))) }
    }

    /// Handles an event in the network in which accessories wait for their configuration.
    private func handle(_ event: BrowseEvent) {
        switch event {
        case .found(let service), .changed(let service):
            guard let advertisement = SetupAdvertisement(service) else { return lose(service.instance) }
            let change = accessories.update(
                service.instance,
                advertisement,
                at: service.accessoryAddresses,
                keeping: attempts.keys
            )
            guard let change else { return }
            if let lost = change.lost { send(.unconfiguredLost(lost)) }
            send(.unconfigured(change.accessory.listed))
            handle(advertisement, at: .setup, change.accessory.addresses)
        case .gone(let instance):
            lose(instance)
        }
    }

    private func lose(_ instance: ServiceInstance) {
        if let lost = accessories.remove(instance) { send(.unconfiguredLost(lost)) }
    }

    private func send(_ event: HubEvent) {
        for session in browsers.values { session.deliver(.event(event)) }
    }
}

// MARK: Configuring

extension Onboarding {
    /// Configures an accessory, and waits until it is in the home's network.
    private func configure(
        _ parameters: ConfigureAccessory,
        for session: HubSession
    ) async throws(HubError) -> ConfiguredAccessory {
        guard setup != nil else { throw Self.noSetupInterface }
        guard let accessory = accessories[parameters.id] else { throw Self.gone }
        let deviceID = accessory.advertisement.deviceID
        guard attempts[deviceID] == nil else {
            throw HubError(.alreadyConfiguring, "“\(accessory.name)” is already being configured. Wait for the result.")
        }
        attempts[deviceID] = Attempt()
        defer { attempts[deviceID] = nil }
        try await checkMayConfigure(session)
        let network = try await network(for: accessory, parameters, session)
        let result = try await handOver(network, to: parameters.id, deviceID)
        log.info("An accessory joined the network.", metadata: [LogKey.accessory: "\(deviceID)"])
        return result
    }

    private static let gone = HubError(
        .notDiscovered,
        "The accessory isn't visible. Check that it is powered on and waits for its configuration."
    )

    /// Rejects users who can't add accessories to any home. The hub's own user may have no home yet.
    private func checkMayConfigure(_ session: HubSession) async throws(HubError) {
        guard session.user != owner, await database.editableHomes(of: session.user).isEmpty else { return }
        let reason = "Only owners and administrators of a home can configure accessories."
        throw HubError(HomeError(.insufficientPrivileges, reason))
    }

    /// Returns the network of the request, or the one that the user names.
    private func network(
        for accessory: UnconfiguredAccessories.Accessory,
        _ parameters: ConfigureAccessory,
        _ session: HubSession
    ) async throws(HubError) -> NetworkCredentials {
        if let name = parameters.network, let passphrase = parameters.passphrase {
            return try Self.credentials(name, passphrase)
        }
        let (name, passphrase) = ("network", "passphrase")
        let warning = "It can't prove who made it: anyone nearby who imitates it would receive the passphrase."
        let draft = QuestionDraft(
            kind: .network,
            text: "“\(accessory.name)” isn't on the network yet. Which Wi-Fi network should it join? \(warning)",
            audience: .person(session.user),
            deviceID: accessory.advertisement.deviceID.description,
            fields: [
                QuestionField(name, "Network", suggestion: parameters.network),
                QuestionField(passphrase, "Passphrase", isSecret: true),
            ]
        )
        let answers = try await questions.answers(to: draft, for: session) { (answers) async throws(HubError) in
            _ = try Self.credentials(answers[name] ?? "", answers[passphrase] ?? "")
        }
        return try Self.credentials(answers.values[name] ?? "", answers.values[passphrase] ?? "")
    }

    private static func credentials(_ name: String, _ passphrase: String) throws(HubError) -> NetworkCredentials {
        do throws(WirelessSetupError) {
            return try NetworkCredentials(name: name, passphrase: passphrase)
        } catch {
            throw HubError(.invalidNetwork, error.description)
        }
    }

    private func handOver(
        _ network: NetworkCredentials,
        to id: UUID,
        _ deviceID: DeviceID
    ) async throws(HubError) -> ConfiguredAccessory {
        // The accessory may have left while the user answered.
        guard let accessory = accessories[id] else { throw Self.gone }
        attempts[deviceID]?.monitor = JoinMonitor(accessory.advertisement)
        let interfaces = setupInterfaceNames
        let arrivals = Task { [home, weak self] in
            for await event in home.services(of: .wirelessSetup) {
                await self?.handleArrival(event, excluding: interfaces)
            }
        }
        defer { arrivals.cancel() }
        do throws(ConfiguratorError) {
            _ = try await configurator.configure(accessory.addresses, with: SetupConfiguration(network: network))
        } catch {
            let metadata: Logger.Metadata = [LogKey.accessory: "\(deviceID)", LogKey.reason: "\(error)"]
            log.notice("An accessory could not be configured.", metadata: metadata)
            throw HubError(.configurationFailed, "“\(accessory.name)” could not be configured. \(error)")
        }
        switch await outcome(of: deviceID) {
        case .joined(let addresses):
            // The accessory is in the network even if the confirmation doesn't reach it.
            try? await configurator.confirm(addresses)
        case .returned:
            throw HubError(
                .networkNotJoined,
                "“\(accessory.name)” could not join \(network). Check the network's name and passphrase."
            )
        case .timedOut:
            throw HubError(
                .networkNotJoined,
                "“\(accessory.name)” did not appear in the home's network. Check that it is powered on and in range, and "
                    + "that the hub is in the network \(network)."
            )
        case .stopped:
            throw HubError(.cancelled, "The hub is stopping.")
        }
        guard accessory.advertisement.features.contains(.homeKit) else {
            return ConfiguredAccessory(name: accessory.name, deviceID: nil)
        }
        _ = await discovery.server(deviceID, within: Self.advertisementTimeout)
        return ConfiguredAccessory(name: accessory.name, deviceID: deviceID.description)
    }

    private func outcome(of deviceID: DeviceID) async -> Outcome {
        if let outcome = attempts[deviceID]?.outcome { return outcome }
        let timeout = Task { [joinTimeout, weak self] in
            try await Task.sleep(for: joinTimeout)
            await self?.resolve(deviceID, .timedOut)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { attempts[deviceID]?.continuation = $0 }
    }

    /// The names of the interfaces of the accessories' own networks.
    ///
    /// A hub that uses all interfaces for the home also receives what is advertised there.
    private var setupInterfaceNames: Set<String> {
        let selected = Set(setupInterfaces.map(\.description))
        guard !selected.isEmpty else { return [] }
        let interfaces = NetworkInterface.all().filter { interface in
            selected.contains(interface.name) || interface.addresses.contains { selected.contains($0.description) }
        }
        return Set(interfaces.map(\.name))
    }

    /// Handles an event in the home's network while an accessory is expected there.
    ///
    /// - Parameter interfaces: The names of the interfaces that aren't the home's.
    private func handleArrival(_ event: BrowseEvent, excluding interfaces: Set<String>) {
        switch event {
        case .found(let service), .changed(let service):
            let service = service.removingAddresses(on: interfaces)
            guard let advertisement = SetupAdvertisement(service) else { return }
            handle(advertisement, at: .home, service.accessoryAddresses)
        case .gone:
            break
        }
    }

    private func handle(
        _ advertisement: SetupAdvertisement,
        at location: JoinMonitor.Location,
        _ addresses: [AccessoryAddress]
    ) {
        switch attempts[advertisement.deviceID]?.monitor?.outcome(of: advertisement, at: location) {
        case .joined: resolve(advertisement.deviceID, .joined(addresses))
        case .returned: resolve(advertisement.deviceID, .returned)
        case nil: break
        }
    }

    private func resolve(_ deviceID: DeviceID, _ outcome: Outcome) {
        guard attempts[deviceID]?.outcome == nil else { return }
        attempts[deviceID]?.outcome = outcome
        attempts[deviceID]?.continuation.take()?.resume(returning: outcome)
    }
}

extension SetupAdvertisement {
    fileprivate init?(_ service: Service) {
        guard !service.addresses.isEmpty else { return nil }
        self.init { service.txt[$0] }
    }
}

extension Service {
    fileprivate func removingAddresses(on interfaces: Set<String>) -> Service {
        Service(
            instance: instance,
            hostName: hostName,
            port: port,
            addresses: addresses.filter { !interfaces.contains($0.interfaceName) },
            txt: txt
        )
    }

    fileprivate var accessoryAddresses: [AccessoryAddress] {
        addresses.map { AccessoryAddress(host: $0.description, port: Int(port)) }
    }
}
