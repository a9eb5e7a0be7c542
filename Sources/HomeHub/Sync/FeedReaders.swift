import Foundation
package import HomeIdentity
import HomeModel

/// A device that reads a feed.
package struct FeedReaderDevice: Hashable, Sendable, Codable {
    /// The box for which the feed's keys are encrypted.
    package var box: PublicBox
    /// The device's access at the relay.
    package var access: FeedAccess

    /// Creates a device.
    package init(box: PublicBox, access: FeedAccess) {
        self.box = box
        self.access = access
    }
}

extension Account {
    /// The devices that may read the user's feed, by ID.
    var feedReaders: [UUID: FeedReaderDevice] {
        var readers: [UUID: FeedReaderDevice] = [:]
        for device in devices where !device.isSuspended {
            guard let box = device.box.flatMap({ PublicBox($0) }), let key = device.relayKey.flatMap({ PublicKey($0) })
            else { continue }
            readers[device.id] = FeedReaderDevice(box: box, access: FeedAccess(key))
        }
        return readers
    }

    /// Whether the user has a feed: a device that reads one, even if it waits to be confirmed.
    var hasFeed: Bool { devices.contains { $0.box != nil && $0.relayKey != nil } }
}
