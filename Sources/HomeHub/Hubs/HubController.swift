import Foundation
import HAP

/// The controller as which another hub of the homes appears to the accessories of one home.
struct HubController: Hashable, Sendable, Codable {
    /// The other hub's ID.
    var hub: UUID
    /// The home.
    var home: UUID
    /// The identifier by which accessories know the hub.
    var pairingID: PairingID
    /// The key by which accessories know the hub.
    var publicKey: LongTermPublicKey

    /// The pairing that each of the home's accessories should hold.
    var pairing: Pairing { Pairing(controllerID: pairingID, publicKey: publicKey, permissions: .admin) }
}
