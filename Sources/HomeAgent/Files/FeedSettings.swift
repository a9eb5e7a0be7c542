import Foundation
import HAP
import HomeIdentity
import HubAPI

/// What a device stores of its person's feed at a hub, beside the copy: its keys for this hub alone, and where the feed is.
///
/// Printing it doesn't reveal the keys.
struct FeedSettings: Hashable, Sendable, Codable, Redacted {
    /// The seed of the box for which the hub encrypts the feed's keys.
    private(set) var box: Data
    /// The seed of the key by which the relay knows the device.
    private(set) var relayKey: Data
    /// Where the feed is; `nil` while the hub has no relay.
    var location: FeedLocation?
    /// When the device opened the backup at the relay, until the hub knows of it.
    var vaultOpened: Date?

    /// Creates keys that nobody knows yet.
    init() {
        box = Data(BoxKey().seed)
        relayKey = Data(IdentityKey().seed)
    }

    /// The keys; `nil` if what is stored are none.
    var keys: (box: BoxKey, relay: IdentityKey)? {
        guard let box = BoxKey(seed: box), let relay = IdentityKey(seed: relayKey) else { return nil }
        return (box, relay)
    }
}
