package import HAP
internal import HAPCatalog

// Pair-setup and pair-verify.
extension DirectConnection {
    /// Pairs with the accessory server by its setup code (pair-setup).
    ///
    /// - Parameters:
    ///   - code: The setup code.
    ///   - controller: The controller that becomes the accessory server's admin.
    ///   - deviceID: The ID that the accessory server advertises, or `nil` to accept any that knows the code.
    ///   - beforeKeyExchange: A closure that runs when both sides have proved that they know the code, and before the
    ///     accessory server receives the controller's key. If it throws, nothing is sent.
    /// - Returns: The pairing.
    package func pair(
        code: SetupCode,
        controller: ControllerIdentity,
        expecting deviceID: DeviceID? = nil,
        beforeKeyExchange: @Sendable () async throws -> Void = {}
    ) async throws(PairerError) -> AccessoryPairing {
        var setup = PairSetupController(identity: controller, setupCode: code, expecting: deviceID)
        var generator = SystemRandomNumberGenerator()
        let m5: [UInt8]
        do {
            let m2 = try await post(setup.start(), to: .pairSetup)
            // This runs on the task's thread, because the exponentiation would block an event loop.
            let m3 = try setup.handleM2(m2, using: &generator)
            m5 = try setup.handleM4(try await post(m3, to: .pairSetup))
        } catch {
            throw PairerError(beforeKeys: error)
        }
        try await PairerError.prepare(beforeKeyExchange)
        do {
            let accessory = try setup.handleM6(try await post(m5, to: .pairSetup))
            return AccessoryPairing(
                deviceID: accessory.deviceID,
                accessoryPublicKey: accessory.publicKey,
                controllerIdentity: controller
            )
        } catch {
            throw PairerError(afterKeys: error)
        }
    }

    /// Verifies a pairing (pair-verify), after which everything is encrypted. The connection ends if it fails.
    package func verify(_ pairing: AccessoryPairing) async throws(UnreachableCause) {
        try await verify(VerifyExchange(pairing: pairing, host: host))
    }

    /// Runs pair-verify, after which everything is encrypted. The connection ends if it fails.
    func verify(_ exchange: VerifyExchange) async throws(UnreachableCause) {
        var exchange = exchange
        var request = exchange.start()
        while true {
            switch exchange.handle(try await ask(request)) {
            case .send(let next):
                request = next
            case .secured(let keys):
                return secure(with: keys)
            case .failed(let cause):
                await close()
                throw cause
            }
        }
    }

    /// Posts a pairing message and returns the body of the response.
    func post(_ message: [UInt8], to endpoint: HAPEndpoint) async throws -> [UInt8] {
        let response = try await ask(
            HTTPRequest(.post, endpoint.path, host: host, contentType: HAPContentType.pairing, body: message)
        )
        guard response.status == .ok || response.isPairingMessage else {
            throw PairerError.refused(httpStatus: response.status.rawValue)
        }
        return response.body
    }

    /// Sends a request about pairings and returns its response.
    func answer(to request: PairingsRequest) async throws -> PairingsResponse {
        try PairingsResponse(decoding: try await post(request.encoded(), to: .pairings), to: request)
    }
}
