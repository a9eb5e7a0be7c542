internal import DNSSD
package import HAP
package import HAPCatalog
internal import NIOCore

// MARK: What goes wrong by itself

extension AccessoryServer {
    /// Serves a request as far as the interference lets it.
    func handleWithFaults(
        _ request: HTTPRequest,
        from faultInjector: any ServerFaultInjector,
        on connection: Connection
    ) {
        record(.request(request), on: connection)
        let fault = faultInjector.fault(
            for: InspectedRequest(
                connection: connection.id,
                remotePort: connection.remotePort,
                isSecured: connection.isSecured,
                addresses: { self.addresses(of: request) }
            )
        )
        guard fault.delay > .zero else {
            execute(request, fault.outcome, on: connection)
            return
        }
        connection.isAwaitingAnswer = true
        let id = connection.id
        after(fault.delay, on: connection) { server in
            guard let connection = server.connections[id], !connection.isClosing else { return }
            connection.isAwaitingAnswer = false
            server.record(.resumed, on: connection)
            server.execute(request, fault.outcome, on: connection)
            server.resume(id)
        }
        record(.held, on: connection)
    }

    private func execute(_ request: HTTPRequest, _ outcome: RequestFault.Outcome, on connection: Connection) {
        switch outcome {
        case .answered:
            handle(request, on: connection)
        case .ignored:
            connection.ignoresInput = true
            record(.held, on: connection)
        case .dropped:
            connection.close()
        case .halved:
            connection.corruption = .half
            handle(request, on: connection)
        case .wrongTag:
            connection.corruption = connection.isSecured ? .wrongTag : nil
            handle(request, on: connection)
        }
    }

    /// The characteristics that a request names, as far as there are such.
    private func addresses(of request: HTTPRequest) -> [CharacteristicAddress] {
        guard HAPEndpoint(rawValue: request.path) == .characteristics else { return [] }
        let ids: [CharacteristicID] =
            switch request.method {
            case .get: (try? CharacteristicReadRequest(query: request.query ?? ""))?.ids ?? []
            case .put: (try? CharacteristicWriteRequest(decoding: request.body))?.entries.map(\.id) ?? []
            default: []
            }
        return ids.compactMap { database.entry($0)?.address }
    }

    /// Tells the interference of what passes.
    func record(_ content: TrafficEvent.Content, on connection: Connection) {
        configuration.faultInjector?.record(
            TrafficEvent(
                connection: connection.id,
                remotePort: connection.remotePort,
                controller: connection.controller,
                content: content
            )
        )
    }

    /// Does something on the event loop after a while of the server's time.
    func after(
        _ time: Duration,
        on connection: Connection,
        _ action: @escaping @Sendable (isolated AccessoryServer) -> Void
    ) {
        guard let timer = configuration.timer else {
            connection.schedule(in: time) { self.assumeIsolated { action($0) } }
            return
        }
        timer.after(time) { await action(self) }
    }

    /// The present time, as events are timed.
    var now: ContinuousClock.Instant { configuration.timer?.now() ?? .now }

    /// Whether the power fails before an answer of pair-setup goes out; then every connection is cut.
    func shouldLosePower(before response: HTTPResponse) -> Bool {
        guard let faultInjector = configuration.faultInjector,
            let message = try? TLV8(decoding: response.body),
            let state = message[.state].flatMap({ $0.count == 1 ? PairingState(rawValue: $0[0]) : nil }),
            faultInjector.shouldLosePower(before: state)
        else { return false }
        for connection in connections.values { connection.close() }
        return true
    }
}

// MARK: What is done to it

extension AccessoryServer {
    /// Stores a value whether or not the characteristic can have it, as an accessory with a broken sensor does, and tells
    /// the subscribers.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `noSuchCharacteristic`.
    package func force(
        _ value: CharacteristicValue,
        of address: CharacteristicAddress
    ) throws(AccessoryServerError) {
        guard let id = database.id(of: address), let entry = database.entry(id) else {
            throw AccessoryServerError(.noSuchCharacteristic, reason: "\(name) hosts no characteristic \(address)")
        }
        set(value, of: entry, id: id, by: nil, on: nil)
    }

    /// The IDs by which controllers know a characteristic, `nil` if there is none with this address.
    package func identifier(of address: CharacteristicAddress) -> CharacteristicID? {
        database.id(of: address)
    }

    /// Takes leave of the network, or makes itself known again. Connections stay.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `advertisingFailed`.
    package func setAdvertised(_ isAdvertised: Bool) async throws(AccessoryServerError) {
        if !isAdvertised {
            await withdrawAdvertisement()
        } else if let port {
            try await advertise(port: port)
        }
    }

    /// Closes the port and every connection, so that new ones are refused.
    package func closePort() async {
        await stopListening()
        await closeConnections()
    }

    /// Listens again, on another port if one is given, and makes that known. Every connection is closed first.
    ///
    /// - Parameter port: 0 takes any that is free.
    /// - Returns: The port.
    /// - Throws: ``AccessoryServerError`` with the code `portRefused`, `advertisingFailed` or `wrongState`.
    @discardableResult
    package func reopenPort(_ port: Int) async throws(AccessoryServerError) -> Int {
        await closePort()
        await withdrawAdvertisement()
        return try await listen(port: port)
    }
}
