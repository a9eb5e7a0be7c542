package import Foundation

/// The devices of a user.
package struct Devices: Hashable, Sendable, Codable {
    /// A device.
    package struct Device: Hashable, Sendable, Codable, Identifiable {
        /// The ID of the device.
        package var id: UUID
        /// The name that its user gave it.
        package var name: String
        /// The kind of device: `agent` or `browser`; `nil` from hubs that know browsers only.
        package var kind: String?
        /// When it was added or signed in.
        package var added: Date
        /// The name of the device that added it; `nil` if it was added at the hub or with an invitation of another user.
        package var addedBy: String?
        /// When it last used the hub. It can be an hour older than the last use.
        package var lastUse: Date
        /// The way by which it last used the hub; `nil` if that isn't known.
        package var way: Way?
        /// Whether it stays signed in until it is removed; otherwise its session ends after some hours.
        package var staysSignedIn: Bool
        /// Whether it has no access until the owner confirms it; `nil` is `false`. Devices are suspended when the hub is
        /// restored from a backup.
        package var isSuspended: Bool?
        /// Whether it has an open connection.
        package var isConnected: Bool
        /// Whether the request came from this device.
        package var isCurrent: Bool

        /// Creates a device.
        package init(
            id: UUID,
            name: String,
            kind: String? = nil,
            added: Date,
            addedBy: String? = nil,
            lastUse: Date,
            way: Way? = nil,
            staysSignedIn: Bool,
            isSuspended: Bool? = nil,
            isConnected: Bool,
            isCurrent: Bool
        ) {
            self.id = id
            self.name = name
            self.kind = kind
            self.added = added
            self.addedBy = addedBy
            self.lastUse = lastUse
            self.way = way
            self.staysSignedIn = staysSignedIn
            self.isSuspended = isSuspended
            self.isConnected = isConnected
            self.isCurrent = isCurrent
        }
    }

    /// The devices, the latest use first.
    package var devices: [Device]

    /// Creates a list.
    package init(devices: [Device]) {
        self.devices = devices
    }
}
