internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Whether at least one controller is paired.
    public var isPaired: Bool { !pairings.isEmpty }

    /// Removes all pairings, as if each controller had removed its own, and closes their connections.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnwritable`. The pairings are then unchanged.
    public func unpair() async throws(AccessoryServerError) {
        adopt(try await registry.removeAll())
    }

    /// Handles `POST /pair-setup`.
    func setUp(_ request: HTTPRequest, on connection: Connection) {
        for other in connections.values where other.isTransient { other.closeAfterSending() }
        connection.isAwaitingAnswer = true
        connection.hasSetUp = true
        let (registry, id) = (registry, connection.id)
        Task { finish(await registry.setUp(request.body, from: id), on: id) }
    }

    /// Handles `POST /pairings`.
    func manage(_ request: HTTPRequest, _ controller: PairingID, on connection: Connection) {
        connection.isAwaitingAnswer = true
        let (registry, id) = (registry, connection.id)
        Task { finish(await registry.manage(request.body, for: controller), on: id) }
    }

    /// Handles `POST /pair-verify`.
    func verify(_ request: HTTPRequest, on connection: Connection) {
        let action = connection.verification.handle(request.body, pairings: pairings, using: &random)
        connection.recordPairing(isInProgress: connection.verification.isInProgress, at: configuration.now())
        switch action {
        case .reply(let reply):
            respond(HTTPResponse(pairing: reply), to: connection)
        case .badRequest:
            respond(HTTPResponse(status: .badRequest), to: connection)
        case .replyThenSecure(let reply, let controller):
            respond(HTTPResponse(pairing: reply), to: connection)
            guard connection.secure(controller.keys, for: controller.controllerID) else {
                connection.close()
                return
            }
            trim(configuration.limits.verifiedConnections, sparing: connection) { $0.controller != nil }
        }
    }

    /// Sends the registry's response, and publishes the resulting pairings.
    private func finish(_ answer: PairingRegistry.Answer, on id: ConnectionID) {
        configuration.faultInjector?.recordWork(isStarting: true)
        defer { configuration.faultInjector?.recordWork(isStarting: false) }
        if shouldLosePower(before: answer.response) { return }
        // The requester receives its response even if it removed itself.
        let requester = connections[id]
        if let requester {
            requester.isAwaitingAnswer = false
            requester.recordPairing(isInProgress: answer.isSetUpInProgress, at: configuration.now())
            respond(answer.response, to: requester)
            if let keys = answer.keys, !requester.secure(keys, for: nil) { requester.close() }
        }
        adopt(answer)
        if let requester, !requester.isClosing { resume(requester.id) }
    }

    /// Adopts the stored pairings, and disconnects controllers that are no longer paired.
    private func adopt(_ answer: PairingRegistry.Answer) {
        let wasPaired = isPaired
        pairings = answer.pairings
        for connection in connections.values {
            guard let controller = connection.controller else { continue }
            if answer.removed.contains(controller) {
                connection.closeAfterSending()
                record(.closed, on: connection)
            } else if pairings.permissions(of: controller) != .admin {
                // The controller may have been an admin.
                for id in connection.subscriptions where !database.canNotifyUsers(id) { connection.unsubscribe(id) }
            }
        }
        guard isPaired != wasPaired else { return }
        announce()
        handlers.event(.pairingChanged(isPaired: isPaired))
    }
}

extension HTTPResponse {
    /// Creates a response to pair-setup, pair-verify or a pairings request.
    init(pairing body: [UInt8]) {
        self.init(status: .ok, headers: [HTTPHeaderName.contentType: HAPContentType.pairing], body: body)
    }
}
