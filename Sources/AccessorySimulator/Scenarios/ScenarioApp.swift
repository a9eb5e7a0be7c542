internal import HAP
internal import HAPCatalog
internal import HAPClient
internal import HAPServer

/// A controller in a scenario. It performs its requests one at a time and nothing else, so that a scenario always
/// produces the same traffic. Unlike a real session, it doesn't retry, probe or reconnect after random delays.
actor ScenarioApp {
    /// The result of a request.
    struct Result: Sendable {
        var outcome: Scenario.Outcome
        var value: CharacteristicValue?
        /// The time of completion.
        var time: Duration
    }

    /// A received event.
    struct Event: Sendable {
        let time: Duration
        let id: CharacteristicID
        let server: String
        let value: CharacteristicValue?
    }

    private struct Operation {
        let action: Scenario.AppAction
        let completion: @Sendable (Result) async -> Void
    }

    nonisolated let name: String
    private let simulator: Simulator
    private let scheduler: ScenarioScheduler
    private let activity: ScenarioActivityTracker
    private let identity: ControllerIdentity
    private var operations: [Operation] = []
    private var isBusy = false
    private var pairings: [String: AccessoryPairing] = [:]
    private var connections: [String: DirectConnection] = [:]
    /// The IDs known to the app: those at the time of its first request.
    private var ids: [CharacteristicAddress: CharacteristicID] = [:]
    private var allIDs: [CharacteristicAddress: Set<CharacteristicID>] = [:]
    private nonisolated let receivedEvents = ScenarioEvents()

    /// The time that the app waits for a response.
    static let timeout = Duration.seconds(10)
    /// The time to open a connection. Local connections open or fail immediately.
    private static let connectTimeout = Duration.seconds(10)

    init(
        _ name: String,
        _ id: PairingID,
        simulator: Simulator,
        scheduler: ScenarioScheduler,
        activity: ScenarioActivityTracker
    ) {
        self.name = name
        self.simulator = simulator
        self.scheduler = scheduler
        self.activity = activity
        identity = ControllerIdentity(pairingID: id, keyPair: .random())
    }

    /// The received events, in order.
    nonisolated var events: [Event] { receivedEvents.all }

    /// Performs a request after all earlier ones.
    func submit(_ action: Scenario.AppAction, completion: @escaping @Sendable (Result) async -> Void) {
        operations.append(Operation(action: action, completion: completion))
        guard !isBusy else { return }
        isBusy = true
        activity.enter(name)
        Task { await work() }
    }

    private func work() async {
        while !operations.isEmpty {
            let operation = operations.removeFirst()
            await operation.completion(await result(of: operation.action))
        }
        isBusy = false
        activity.leave(name)
    }

    /// Closes all connections.
    func end() async {
        for (_, connection) in connections {
            activity.unbind(connection.localPort)
            await connection.close()
        }
        connections = [:]
    }

    /// Returns all IDs by which the app has known a characteristic.
    func ids(of address: CharacteristicAddress) -> Set<CharacteristicID> { allIDs[address] ?? [] }
}

// MARK: Pairing

extension ScenarioApp {
    /// The app's pairing, for another app to add to an accessory.
    nonisolated var pairing: Pairing {
        Pairing(
            controllerID: identity.pairingID,
            publicKey: identity.keyPair.publicKey,
            permissions: .admin
        )
    }

    /// Pairs with an accessory by its setup code, as its first app.
    func pairFirst(_ server: String) async throws {
        let hosted = try await simulator.server(named: server)
        guard let port = await hosted.port else { return }
        let address = AccessoryAddress(host: "127.0.0.1", port: port)
        let connection = try await DirectConnection.open(to: address, timeout: Self.connectTimeout)
        pairings[server] = try await connection.pair(code: hosted.setupCode, controller: identity)
        await connection.close()
    }

    /// Adds another app's pairing to an accessory that this app is paired with.
    func add(_ other: ScenarioApp, to server: String) async throws {
        guard let (pairing, _) = try await add(other.pairing, to: server) else { return }
        await other.addPairing(pairing, of: server)
    }

    /// Adds a controller's pairing to an accessory that this app is paired with.
    ///
    /// - Returns: The app's own pairing and the accessory's address; `nil` if there is none.
    func add(
        _ controller: Pairing,
        to server: String
    ) async throws -> (own: AccessoryPairing, address: AccessoryAddress)? {
        guard let own = pairings[server] else { return nil }
        let hosted = try await simulator.server(named: server)
        guard let port = await hosted.port else { return nil }
        let address = AccessoryAddress(host: "127.0.0.1", port: port)
        let connection = try await DirectConnection.open(to: address, timeout: Self.connectTimeout)
        try await connection.verify(own)
        let request = PairingsRequest.add(controller)
        let response = try await connection.ask(
            HTTPRequest(
                .post,
                HAPEndpoint.pairings.path,
                host: connection.host,
                contentType: HAPContentType.pairing,
                body: request.encoded()
            )
        )
        _ = try PairingsResponse(decoding: response.body, to: request)
        await connection.close()
        return (own, address)
    }

    private func addPairing(_ other: AccessoryPairing, of server: String) {
        pairings[server] = AccessoryPairing(
            deviceID: other.deviceID,
            accessoryPublicKey: other.accessoryPublicKey,
            controllerIdentity: identity
        )
    }
}

// MARK: Steps

extension ScenarioApp {
    private func result(of action: Scenario.AppAction) async -> Result {
        let server = simulator.server(of: action.accessory)
        do {
            var result = try await perform(action, server)
            result.time = scheduler.now
            return result
        } catch {
            if let connection = connections.removeValue(forKey: server) {
                activity.unbind(connection.localPort)
                await connection.close()
            }
            return Result(outcome: Scenario.Outcome(error), time: scheduler.now)
        }
    }

    private func perform(_ action: Scenario.AppAction, _ server: String) async throws -> Result {
        switch action {
        case .pair:
            let hosted = try await simulator.server(named: server)
            let connection = try await open(server)
            let timer = scheduleTimeout(connection)
            defer { timer.cancel() }
            pairings[server] = try await connection.pair(code: hosted.setupCode, controller: identity)
            activity.unbind(connection.localPort)
            await connection.close()
            return Result(outcome: .done, time: .zero)
        case .list:
            let response = try await ask(server) { HTTPRequest(.get, HAPEndpoint.accessories.path, host: $0) }
            guard response.status == .ok else { return Result(outcome: .status(response.status.rawValue), time: .zero) }
            // Read the IDs again on next use.
            ids = ids.filter { simulator.server(of: $0.key.accessory) != server }
            return Result(outcome: .done, time: .zero)
        case .read(let target, _):
            let id = try await resolveID(of: target.address)
            let response = try await ask(server) { CharacteristicReadRequest(ids: [id]).request(host: $0) }
            guard let entry = try CharacteristicReadResponse(decoding: response.body).entries.first else {
                return Result(outcome: .lost, time: .zero)
            }
            return Result(outcome: Scenario.Outcome(entry.status), value: entry.value, time: .zero)
        case .write(let target, let value):
            let id = try await resolveID(of: target.address)
            return try await put(CharacteristicWriteRequest.Entry(id: id, value: value), server)
        case .subscribe(let target):
            let id = try await resolveID(of: target.address)
            return try await put(CharacteristicWriteRequest.Entry(id: id, events: true), server)
        }
    }

    private func put(_ entry: CharacteristicWriteRequest.Entry, _ server: String) async throws -> Result {
        let response = try await ask(server) { CharacteristicWriteRequest(entries: [entry]).request(host: $0) }
        let answer = try CharacteristicWriteResponse(decoding: response.body).entries.first
        return Result(outcome: answer.map { Scenario.Outcome($0.status) } ?? .done, time: .zero)
    }

    /// Returns the ID of a characteristic, which is looked up on first use.
    private func resolveID(of address: CharacteristicAddress) async throws -> CharacteristicID {
        if let id = ids[address] { return id }
        guard
            let id = await (try simulator.server(named: simulator.server(of: address.accessory))).identifier(
                of: address
            )
        else { throw SimulatorError(.notFound, reason: "\(address) is not hosted") }
        ids[address] = id
        allIDs[address, default: []].insert(id)
        return id
    }

    private func ask(_ server: String, _ request: (String) -> HTTPRequest) async throws -> HTTPResponse {
        let connection = try await session(server)
        let timer = scheduleTimeout(connection)
        defer { timer.cancel() }
        return try await connection.ask(request(connection.host))
    }

    /// Schedules the end of a connection for when the app has waited too long.
    private func scheduleTimeout(_ connection: DirectConnection) -> ScheduledAction {
        scheduler.after(Self.timeout) { [activity, name] in
            activity.enter(name)
            connection.abandon()
        }
    }

    /// Returns a verified session with an accessory.
    private func session(_ server: String) async throws -> DirectConnection {
        if let connection = connections[server], activity.app(connection.localPort) != nil { return connection }
        guard let pairing = pairings[server] else { throw UnreachableCause.pairingForgotten }
        let connection = try await open(server)
        connections[server] = connection
        let timer = scheduleTimeout(connection)
        defer { timer.cancel() }
        try await connection.verify(pairing)
        return connection
    }

    private func open(_ server: String) async throws -> DirectConnection {
        let hosted = try await simulator.server(named: server)
        guard let port = await hosted.port else { throw UnreachableCause.refused }
        let (receivedEvents, activity, scheduler) = (receivedEvents, activity, scheduler)
        let own = ScenarioPort()
        let connection = try await DirectConnection.open(
            to: AccessoryAddress(host: "127.0.0.1", port: port),
            timeout: Self.connectTimeout
        ) { message in
            for entry in (try? CharacteristicEvent(decoding: message.body))?.entries ?? [] {
                receivedEvents.append(Event(time: scheduler.now, id: entry.id, server: server, value: entry.value))
            }
            activity.eventArrives(own.number)
        } onClose: { cause in
            // After an unreadable message, this end closes the connection first.
            if case .protocolViolation = cause { activity.leave(own.number) } else { activity.unbind(own.number) }
        }
        own.number = connection.localPort
        activity.bind(connection.localPort, to: name)
        return connection
    }
}

extension Scenario.Outcome {
    fileprivate init(_ status: HAPStatus) {
        self = status.isSuccess ? .done : .status(status.rawValue)
    }

    /// The outcome for an error.
    fileprivate init(_ error: any Error) {
        switch error {
        case UnreachableCause.timedOut: self = .unanswered
        case UnreachableCause.refused, UnreachableCause.notAdvertised: self = .refused
        case UnreachableCause.pairingForgotten, UnreachableCause.pairingRefused, UnreachableCause.identityChanged:
            self = .notPaired
        case PairerError.unreachable(let cause): self.init(cause)
        case PairerError.pairing, PairerError.refused: self = .notPaired
        default: self = .lost
        }
    }
}
