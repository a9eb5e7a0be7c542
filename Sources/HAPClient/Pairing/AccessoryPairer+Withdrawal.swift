package import HAP
internal import HAPCatalog

/// What became of a pairing whose exchange of keys broke off after the controller's key had been sent.
package enum PairingWithdrawal: Hashable, Sendable {
    /// The accessory held the controller's pairing and has removed it.
    case withdrawn
    /// The accessory does not hold the controller's pairing.
    case notHeld
}

extension AccessoryPairer {
    /// Settles a pairing of which it is unknown whether the accessory holds it (``PairerError/outcomeUnknown(_:)``): has
    /// the accessory remove it, so that it can be paired again.
    ///
    /// The accessory tells its long-term key in the answer that was lost and nowhere else, so the pairing can't be
    /// completed: without that key no session with the accessory could ever be told from one with an impostor. What the
    /// controller can still do is prove to the accessory who it is, and as the admin that it then is remove itself. Nothing
    /// else is sent. An impostor that answers learns the controller's identifier and no secret; all that it can bring
    /// about is that the pairing is thought settled, and that the accessory, if it does hold it, has to be reset.
    ///
    /// - Parameters:
    ///   - controller: Who the accessory was told to know.
    ///   - deviceID: The id that the accessory announces, `nil` to take whoever answers.
    ///   - excluded: Accessories that hold a pairing of this controller which is to stay.
    ///   - addresses: Where it may be. The first that accepts a connection counts.
    /// - Throws: ``PairerError``: it is as unknown as before.
    package func withdraw(
        _ controller: ControllerIdentity,
        from deviceID: DeviceID?,
        excluding excluded: Set<DeviceID>,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) -> PairingWithdrawal {
        let connection = try await connect(to: addresses)
        defer { connection.abandon() }
        var verify = PairVerifyController(identity: controller, unauthenticated: deviceID, excluding: excluded)
        var generator = SystemRandomNumberGenerator()
        do {
            let m2 = try await connection.post(verify.start(using: &generator), to: .pairVerify)
            let m4 = try await connection.post(verify.handleM2(m2), to: .pairVerify)
            connection.secure(with: try verify.handleM4(m4))
        } catch let failure as PairingFailure where failure.code == .notAuthorized {
            return .notHeld
        } catch PairerError.refused(let httpStatus) where HTTPStatus(rawValue: httpStatus).asksForVerification {
            // To an accessory without pairings pair-verify is not open.
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
