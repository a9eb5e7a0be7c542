internal import DNSSD
package import HAP
package import HAPCatalog
internal import NIOCore

// MARK: Injected faults

extension AccessoryServer {
    /// Handles a request with the faults of an injector.
    func handleWithFaults(
        _ request: HTTPRequest,
        from faultInjector: any ServerFaultInjector,
        on connection: Connection
    ) {
        record(.request(request), on: connection)
        guard faultInjector.hasFaults else { return handle(request, on: connection) }
        let fault = faultInjector.fault(
            for: InspectedRequest(
                connection: connection.id,
                remotePort: connection.remotePort,
                isSecured: connection.isSecured,
                endpoint: request.endpoint,
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
        case .notFound:
            respond(HTTPResponse(status: .notFound), to: connection)
        }
    }

    /// Returns the existing characteristics that a request names.
    private func addresses(of request: HTTPRequest) -> [CharacteristicAddress] {
        guard request.endpoint == .characteristics else { return [] }
        let ids: [CharacteristicID] =
            switch request.method {
            case .get: (try? CharacteristicReadRequest(query: request.queryBytes))?.ids ?? []
            case .put: (try? CharacteristicWriteRequest(decoding: request.bodyBytes))?.entries.map(\.id) ?? []
            default: []
            }
        return ids.compactMap { database.index(of: $0) }.map { database.entries[$0].address }
    }

    /// Reports a traffic event to the fault injector.
    func record(_ content: @autoclosure () -> TrafficEvent.Content, on connection: Connection) {
        guard let faultInjector = configuration.faultInjector, faultInjector.recordsTraffic else { return }
        faultInjector.record(
            TrafficEvent(
                connection: connection.id,
                remotePort: connection.remotePort,
                controller: connection.controller,
                content: content()
            )
        )
    }

    /// Performs an action on the event loop after a time on the server's clock.
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

    /// The current time on the clock that times events.
    var now: ContinuousClock.Instant { configuration.timer?.now() ?? .now }

    /// Returns whether to simulate a power failure before a pair-setup response is sent, and closes all connections if
    /// so.
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

// MARK: Operations for simulators

extension AccessoryServer {
    /// Stores a value without validation, as an accessory with a broken sensor does, and notifies subscribers.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `noSuchCharacteristic`.
    package func force(
        _ value: CharacteristicValue,
        of address: CharacteristicAddress
    ) throws(AccessoryServerError) {
        guard let index = database.id(of: address).flatMap({ database.index(of: $0) }) else {
            throw AccessoryServerError(
                .noSuchCharacteristic,
                reason: "\(name) doesn't host the characteristic \(address)"
            )
        }
        set(value, at: index, by: nil, on: nil)
    }

    /// Returns the ID that controllers use for a characteristic, or `nil` if there is none with this address.
    package func identifier(of address: CharacteristicAddress) -> CharacteristicID? {
        database.id(of: address)
    }

    /// Withdraws the server's advertisement or publishes it again. Connections stay open.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `advertisingFailed`.
    package func setAdvertised(_ isAdvertised: Bool) async throws(AccessoryServerError) {
        if !isAdvertised {
            await withdrawAdvertisement()
        } else if let port {
            try await advertise(port: port)
        }
    }

    /// Closes the port and all connections. New connections are refused.
    package func closePort() async {
        await stopListening()
        await closeConnections()
    }

    /// Closes all connections, listens again, possibly on another port, and publishes the advertisement.
    ///
    /// - Parameter port: The port, or 0 for any free port.
    /// - Returns: The port.
    /// - Throws: ``AccessoryServerError`` with the code `portRefused`, `advertisingFailed` or `wrongState`.
    @discardableResult
    package func reopenPort(_ port: Int) async throws(AccessoryServerError) -> Int {
        await closePort()
        await withdrawAdvertisement()
        return try await listen(port: port)
    }
}
