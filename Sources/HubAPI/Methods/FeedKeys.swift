package import Foundation

/// The public keys with which a device reads its user's feed at a relay.
package struct FeedKeys: Hashable, Sendable, Codable {
    /// The key for which the hub encrypts the feed's keys: 1,216 bytes of X-Wing.
    package var box: Data
    /// The key by which the relay knows the device: 32 bytes of Ed25519. The device makes it for this hub alone, so that nobody
    /// can link it to the device's key.
    package var relayKey: Data
    /// When the device opened the backup at the relay, if it hasn't told the hub of it; `nil` if there is nothing to tell.
    package var vaultOpened: Date?

    /// Creates the parameters.
    package init(box: Data, relayKey: Data, vaultOpened: Date? = nil) {
        self.vaultOpened = vaultOpened
        self.box = box
        self.relayKey = relayKey
    }
}
