import HAP
import HAPClient
import HubAPI

/// The method by which an accessory receives a home's key.
enum PairingMethod: Sendable {
    /// Pair setup with an accessory's setup code.
    case setupCode(SetupCode)
    /// Another controller's pairing, which is used to add the home's pairing.
    ///
    /// - Parameter isMember: Whether the accessory is already in the home.
    case otherController(AccessoryPairing, isMember: Bool)

    /// Returns whether this method renews the given stored pairing: the accessory is in the home with the same key, but
    /// may have lost the pairing. A failed renewal withdraws nothing.
    func renews(_ stored: AccessoryPairing?) -> Bool {
        guard case .otherController(let other, isMember: true) = self else { return false }
        return stored?.accessoryPublicKey == other.accessoryPublicKey
    }

    /// Returns the error for a client if the accessory rejects the pairing or is unreachable.
    func hubError(_ error: PairerError) -> HubError {
        switch self {
        case .setupCode: HubError(error)
        case .otherController: HubError(importing: error)
        }
    }
}
