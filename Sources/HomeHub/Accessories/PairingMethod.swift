import HAP
import HAPClient
import HubAPI

/// The way by which an accessory receives a home's key.
enum PairingMethod: Sendable {
    /// Pair-setup with an accessory's setup code.
    case setupCode(SetupCode)
    /// The pairing of another controller, which adds the home's.
    ///
    /// - Parameter isMember: Whether the accessory is in the home.
    case otherController(AccessoryPairing, isMember: Bool)

    /// Whether the accessory is in the home and this is the pairing that the home stores for it, though the accessory may
    /// have lost it. Then nothing is withdrawn.
    func renews(_ stored: AccessoryPairing?) -> Bool {
        guard case .otherController(let other, isMember: true) = self else { return false }
        return stored?.accessoryPublicKey == other.accessoryPublicKey
    }

    /// The error for a client when the accessory refused, or was not reached.
    func hubError(_ error: PairerError) -> HubError {
        switch self {
        case .setupCode: HubError(error)
        case .otherController: HubError(importing: error)
        }
    }
}
