internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Whether a controller is paired.
    public var isPaired: Bool { !pairings.isEmpty }

    /// Forgets every controller, as if each had removed its pairing; their connections end.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnwritable`; then all stay.
    public func unpair() async throws(AccessoryServerError) {
        adopt(try await registry.removeAll())
    }

    /// Serves `POST /pair-setup`.
    func setUp(_ request: HTTPRequest, on connection: Connection) {
        for other in connections.values where other.isTransient { other.closeAfterSending() }
        connection.isAwaitingAnswer = true
        connection.hasSetUp = true
        let (registry, id) = (registry, connection.id)
        Task { complete(await registry.setUp(request.body, from: id), on: id) }
    }

    /// Serves `POST /pairings`.
    func manage(_ request: HTTPRequest, _ controller: PairingID, on connection: Connection) {
        connection.isAwaitingAnswer = true
        let (registry, id) = (registry, connection.id)
        Task { complete(await registry.manage(request.body, for: controller), on: id) }
    }

    /// Serves `POST /pair-verify`.
    func verify(_ request: HTTPRequest, on connection: Connection) {
        let action = connection.verification.handle(request.body, pairings: pairings, using: &random)
        connection.recordPairing(isInProgress: connection.verification.isUnderWay, at: configuration.now())
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

    /// Sends what the registry answers, and makes known what became of the pairings.
    private func complete(_ answer: PairingRegistry.Answer, on id: ConnectionID) {
        configuration.faultInjector?.recordWork(isStarting: true)
        defer { configuration.faultInjector?.recordWork(isStarting: false) }
        if shouldLosePower(before: answer.response) { return }
        // The asker gets its reply even if it has removed itself.
        let asker = connections[id]
        if let asker {
            asker.isAwaitingAnswer = false
            asker.recordPairing(isInProgress: answer.isSetUpInProgress, at: configuration.now())
            respond(answer.response, to: asker)
            if let keys = answer.keys, !asker.secure(keys, for: nil) { asker.close() }
        }
        adopt(answer)
        if let asker, !asker.isClosing { resume(asker.id) }
    }

    /// Takes over the pairings as they are stored, and lets go of controllers that are no longer paired.
    private func adopt(_ answer: PairingRegistry.Answer) {
        let wasPaired = isPaired
        pairings = answer.pairings
        for connection in connections.values {
            guard let controller = connection.controller else { continue }
            if answer.removed.contains(controller) {
                connection.closeAfterSending()
                record(.closed, on: connection)
            } else if pairings[controller]?.permissions != .admin {
                // It may have been an admin.
                for id in connection.subscriptions where !database.canNotifyUsers(id) { connection.unsubscribe(id) }
            }
        }
        guard isPaired != wasPaired else { return }
        announce()
        handlers.event(.pairingChanged(isPaired: isPaired))
    }
}

extension HTTPResponse {
    /// A reply of pair-setup, pair-verify or the management of pairings.
    init(pairing body: [UInt8]) {
        self.init(status: .ok, headers: [HTTPHeaderName.contentType: HAPContentType.pairing], body: body)
    }
}
