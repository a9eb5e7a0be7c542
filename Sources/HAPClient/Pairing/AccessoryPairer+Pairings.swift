package import HAP

/// Adds, lists and removes the pairings of an accessory server that is already paired (HAP's Add, List and Remove
/// Pairings), with the pairing of one of its admins. This requires neither a setup code nor a reset.
extension AccessoryPairer {
    /// Adds a controller to an accessory server as an admin (pair-verify, then Add Pairing). The admin stays paired. Adding
    /// a controller again has no effect.
    ///
    /// - Parameters:
    ///   - controller: The new controller.
    ///   - admin: The pairing of a controller that the accessory server knows as an admin.
    ///   - addresses: The addresses that it may have. The first that accepts a connection counts.
    ///   - beforeKeyExchange: A closure that runs when both sides have proved their identities, and before the accessory
    ///     server receives the controller's key. Store durably that this pairing is in progress. If it throws, nothing is
    ///     sent.
    /// - Returns: The pairing, for a session. Store it.
    /// - Throws: ``PairerError/unreachable(_:)`` if the admin's pairing was not accepted, or if the accessory server is a
    ///   different one or can't be reached; ``PairerError/pairing(_:)`` if the admin isn't allowed to add a controller.
    package func addPairing(
        _ controller: ControllerIdentity,
        by admin: AccessoryPairing,
        at addresses: [AccessoryAddress],
        beforeKeyExchange: @Sendable () async throws -> Void
    ) async throws(PairerError) -> AccessoryPairing {
        let connection = try await verified(admin, at: addresses)
        defer { connection.abandon() }
        try await PairerError.prepare(beforeKeyExchange)
        let pairing = Pairing(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: .admin
        )
        do {
            _ = try await connection.answer(to: .add(pairing))
        } catch {
            throw PairerError(afterKeys: error)
        }
        return AccessoryPairing(
            deviceID: admin.deviceID,
            accessoryPublicKey: admin.accessoryPublicKey,
            controllerIdentity: controller
        )
    }

    /// Returns the pairings of an accessory server (pair-verify, then List Pairings).
    ///
    /// - Throws: ``PairerError``, as ``addPairing(_:by:at:beforeKeyExchange:)`` does.
    package func listPairings(
        as admin: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) -> [Pairing] {
        let connection = try await verified(admin, at: addresses)
        defer { connection.abandon() }
        do {
            guard case .list(let pairings) = try await connection.answer(to: .list) else { return [] }
            return pairings
        } catch {
            throw PairerError(beforeKeys: error)
        }
    }

    /// Removes a controller from an accessory server (pair-verify, then Remove Pairing). Removing an unknown controller has
    /// no effect.
    ///
    /// - Throws: ``PairerError``, as ``addPairing(_:by:at:beforeKeyExchange:)`` does. After ``PairerError/unreachable(_:)``
    ///   the controller may have been removed anyway.
    package func removePairing(
        _ controller: PairingID,
        by admin: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) {
        let connection = try await verified(admin, at: addresses)
        defer { connection.abandon() }
        do {
            _ = try await connection.answer(to: .remove(controller))
        } catch {
            throw PairerError(beforeKeys: error)
        }
    }
}
