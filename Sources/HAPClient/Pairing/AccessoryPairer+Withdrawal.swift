package import HAP
internal import HAPCatalog

/// The result of withdrawing a pairing whose key exchange was interrupted after the controller's key had been sent.
package enum PairingWithdrawal: Hashable, Sendable {
    /// The accessory had the controller's pairing and has removed it.
    case withdrawn
    /// The accessory doesn't have the controller's pairing.
    case notHeld
}

extension AccessoryPairer {
    /// Withdraws a pairing with an unknown outcome (``PairerError/outcomeUnknown(_:)``): removes it if the accessory has
    /// it, so that the accessory can be paired again.
    ///
    /// The pairing can't be completed. The accessory sends its long-term key only in the response that was lost, and
    /// without that key the controller can't distinguish the accessory from an impostor. However, the controller can
    /// still prove its own identity to the accessory, and remove itself as an admin. It sends nothing else.
    ///
    /// An impostor that responds learns the controller's pairing ID, but no secret. It can only make the controller
    /// believe that the pairing is withdrawn. If the accessory does have the pairing, it must then be reset.
    ///
    /// - Parameters:
    ///   - controller: The controller whose key was sent to the accessory.
    ///   - deviceID: The device ID that the accessory advertises, or `nil` to accept any accessory.
    ///   - excluded: Accessories that have a pairing with this controller that must remain.
    ///   - addresses: The addresses that it may have. The first that accepts a connection counts.
    /// - Throws: ``PairerError`` if the outcome is still unknown.
    package func withdraw(
        _ controller: ControllerIdentity,
        from deviceID: DeviceID?,
        excluding excluded: Set<DeviceID>,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) -> PairingWithdrawal {
        let connection = try await connect(to: addresses)
        defer { connection.abandon() }
        let verify = PairVerifyController(identity: controller, unauthenticated: deviceID, excluding: excluded)
        do {
            try await connection.verify(VerifyExchange(verify, host: connection.host))
        } catch .pairingRefused, .pairingForgotten {
            return .notHeld
        } catch {
            throw PairerError(beforeKeys: error)
        }
        do {
            _ = try await connection.answer(to: .remove(controller.pairingID))
            return .withdrawn
        } catch {
            throw PairerError(beforeKeys: error)
        }
    }
}
