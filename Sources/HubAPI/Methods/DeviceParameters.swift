package import Foundation

/// Asks for a code with which a device signs in over HTTP.
package struct CreateLogin: Hashable, Sendable, Codable {
    /// The user who will be signed in, by the ID in one of the caller's homes; `nil` for the caller's user.
    package var user: ItemTarget?

    /// Creates a request.
    package init(user: ItemTarget? = nil) {
        self.user = user
    }
}

/// A code with which one device can sign in, once.
package struct LoginCode: Hashable, Sendable, Codable {
    /// The code: 8 letters and digits. Case doesn't matter, and letters that look like digits count as those.
    package var code: String
    /// The number of seconds for which the code is valid.
    package var expiresIn: Int
    /// The addresses at which the hub serves HTTP, such as `http://127.0.0.1:8080`, the best first.
    package var addresses: [String]
    /// The links with which a device signs in, in the order of the addresses; at most ``LoginLink/maximumCount``.
    package var links: [LoginLink]?
    /// The SHA-256 fingerprint of the hub's own certificate authority, if devices must trust it: they get it at the path
    /// `/trust` of each address.
    package var fingerprint: String?

    /// Creates a code.
    package init(
        code: String,
        expiresIn: Int,
        addresses: [String],
        links: [LoginLink]? = nil,
        fingerprint: String? = nil
    ) {
        self.code = code
        self.expiresIn = expiresIn
        self.addresses = addresses
        self.links = links
        self.fingerprint = fingerprint
    }
}

/// The devices of a user that are signed in.
package struct Devices: Hashable, Sendable, Codable {
    /// A device.
    package struct Device: Hashable, Sendable, Codable, Identifiable {
        /// The ID of the device.
        package var id: UUID
        /// The name that its user gave it.
        package var name: String
        /// When it signed in.
        package var added: Date
        /// When it last used the hub. It can be an hour older than the last use.
        package var lastUse: Date
        /// Whether it stays signed in until it is removed; otherwise its session ends after some hours.
        package var staysSignedIn: Bool
        /// Whether it has an open connection.
        package var isConnected: Bool
        /// Whether the request came from this device.
        package var isCurrent: Bool

        /// Creates a device.
        package init(
            id: UUID,
            name: String,
            added: Date,
            lastUse: Date,
            staysSignedIn: Bool,
            isConnected: Bool,
            isCurrent: Bool
        ) {
            self.id = id
            self.name = name
            self.added = added
            self.lastUse = lastUse
            self.staysSignedIn = staysSignedIn
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

/// Identifies a device.
package struct DeviceTarget: Hashable, Sendable, Codable {
    /// The ID of the device.
    package var id: UUID

    /// Creates a target.
    package init(id: UUID) {
        self.id = id
    }
}
