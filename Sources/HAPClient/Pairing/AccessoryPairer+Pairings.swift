package import HAP
internal import HAPCatalog

/// What a controller does with a pairing that it was handed: an accessory that is paired already gets to know another
/// controller, without its set-up code and without a reset.
extension AccessoryPairer {
    /// Introduces a controller to an accessory server as an admin, by the pairing of an admin that it knows
    /// (pair-verify, then AddPairing). The admin stays paired. Said twice it is the same as once.
    ///
    /// - Parameters:
    ///   - controller: Who the accessory server shall know.
    ///   - admin: The pairing of one that it knows.
    ///   - addresses: Where it may be. The first that accepts a connection counts.
    ///   - beforeKeyExchange: Runs when both sides have proved who they are and before the accessory server is told the
    ///     controller's key: store durably that this pairing is under way. If it throws, nothing is told.
    /// - Returns: The pairing, for a session. Store it.
    /// - Throws: ``PairerError``. With ``PairerError/unreachable(_:)`` the admin's pairing was not accepted, or the
    ///   accessory server is not the one of the pairing, or it is not there; with ``PairerError/pairing(_:)`` it did not
    ///   let the admin introduce anybody.
    package func introduce(
        _ controller: ControllerIdentity,
        by admin: AccessoryPairing,
        at addresses: [AccessoryAddress],
        beforeKeyExchange: @Sendable () async throws -> Void
    ) async throws(PairerError) -> AccessoryPairing {
        let dialogue = try await verified(admin, at: addresses)
        defer { dialogue.close() }
        do {
            try await beforeKeyExchange()
        } catch {
            throw .notPrepared(error)
        }
        guard !Task.isCancelled else { throw .cancelled }
        let pairing = Pairing(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: .admin
        )
        do {
            _ = try await answer(to: .add(pairing), on: dialogue)
        } catch {
            throw PairerError(afterKeys: error)
        }
        return AccessoryPairing(
            deviceID: admin.deviceID,
            accessoryPublicKey: admin.accessoryPublicKey,
            controllerIdentity: controller
        )
    }

    /// The pairings that an accessory server has, as an admin is told them (pair-verify, then ListPairings). Nothing is
    /// changed by it.
    ///
    /// - Throws: ``PairerError``, as ``introduce(_:by:at:beforeKeyExchange:)`` does.
    package func pairings(
        toldTo admin: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) -> [Pairing] {
        let dialogue = try await verified(admin, at: addresses)
        defer { dialogue.close() }
        do {
            guard case .list(let pairings) = try await answer(to: .list, on: dialogue) else { return [] }
            return pairings
        } catch {
            throw PairerError(beforeKeys: error)
        }
    }

    /// Has an accessory server forget a controller, as an admin (pair-verify, then RemovePairing). One that it does not know
    /// is no error.
    ///
    /// - Throws: ``PairerError``, as ``introduce(_:by:at:beforeKeyExchange:)`` does; with ``PairerError/unreachable(_:)`` the
    ///   controller may be forgotten all the same.
    package func dismiss(
        _ controller: PairingID,
        by admin: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) {
        let dialogue = try await verified(admin, at: addresses)
        defer { dialogue.close() }
        do {
            _ = try await answer(to: .remove(controller), on: dialogue)
        } catch {
            throw PairerError(beforeKeys: error)
        }
    }

    /// Connects, and verifies by a pairing.
    private func verified(
        _ pairing: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) -> PairingConnection {
        let dialogue = try await connect(to: addresses)
        do {
            var exchange = VerifyExchange(pairing: pairing, host: dialogue.host)
            var request = exchange.start()
            while true {
                switch exchange.handle(try await dialogue.ask(request)) {
                case .send(let next):
                    request = next
                case .secured(let keys):
                    dialogue.secure(with: keys)
                    return dialogue
                case .failed(let cause):
                    throw cause
                }
            }
        } catch {
            dialogue.close()
            throw PairerError(beforeKeys: error)
        }
    }

    private func answer(to request: PairingsRequest, on dialogue: PairingConnection) async throws -> PairingsResponse {
        try PairingsResponse(decoding: try await ask(dialogue, .pairings, request.encoded()), to: request)
    }
}
