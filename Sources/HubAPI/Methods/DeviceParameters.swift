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

/// Asks for a code or a link with which another device of the caller's user joins.
package struct AddDevice: Hashable, Sendable, Codable {
    /// A name for the device, which it can replace; `nil` if the device names itself.
    package var name: String?
    /// What the device is invited with.
    package var kind: InvitationKind

    /// Creates a request.
    package init(name: String? = nil, kind: InvitationKind) {
        self.name = name
        self.kind = kind
    }
}

/// An invitation for one device, with its code or link, which the hub doesn't tell again.
package struct DeviceInvitation: Hashable, Sendable, Codable {
    /// The ID of the invitation.
    package var id: UUID
    /// The code, as eight digits in the form `ddd-dd-ddd`; `nil` for a link.
    package var code: String?
    /// The link, which begins with `HEARTH:JOIN:`; `nil` for a code.
    package var link: LoginLink?
    /// When the invitation expires, in the hub's time.
    package var expires: Date

    /// Creates an invitation.
    package init(id: UUID, code: String? = nil, link: LoginLink? = nil, expires: Date) {
        self.id = id
        self.code = code
        self.link = link
        self.expires = expires
    }
}

/// Adds a device by its public key, without an invitation. The calling device vouches for it.
package struct VouchForDevice: Hashable, Sendable, Codable {
    /// The name of the device.
    package var name: String
    /// The kind of device, such as `agent`.
    package var kind: String
    /// The device's public key for this hub: 32 bytes of Ed25519.
    package var key: Data

    /// Creates a request.
    package init(name: String, kind: String, key: Data) {
        self.name = name
        self.kind = kind
        self.key = key
    }
}

/// Renames a device.
package struct RenameDevice: Hashable, Sendable, Codable {
    /// The ID of the device.
    package var id: UUID
    /// The new name.
    package var name: String

    /// Creates a request.
    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}

/// Removes a device.
package struct RemoveDevice: Hashable, Sendable, Codable {
    /// The ID of the device.
    package var id: UUID
    /// Whether the device was stolen or lost; `nil` is `false`. The reply then lists what came from it.
    package var isStolen: Bool?
    /// The time since which the reply lists what came from the device; `nil` for all that is known.
    package var since: Date?

    /// Creates a request.
    package init(id: UUID, isStolen: Bool? = nil, since: Date? = nil) {
        self.id = id
        self.isStolen = isStolen
        self.since = since
    }
}

/// What came from a removed device, if it was stolen: users, roles and devices, which the user may want to take back.
package struct RemovedDevice: Hashable, Sendable, Codable {
    /// A change that the device requested.
    package struct Deed: Hashable, Sendable, Codable {
        /// The verb of the change, such as `userAdded`.
        package var verb: String
        /// The home; `nil` for changes of the user's devices.
        package var home: UUID?
        /// The ID of the user as the caller sees it, of the device or of the invitation.
        package var id: UUID?
        /// The name of the user or device, as far as it is still known.
        package var name: String
        /// When it happened.
        package var time: Date

        /// Creates a description of a change.
        package init(verb: String, home: UUID?, id: UUID?, name: String, time: Date) {
            self.verb = verb
            self.home = home
            self.id = id
            self.name = name
            self.time = time
        }
    }

    /// The changes, the newest first; `nil` if the device wasn't stolen.
    package var deeds: [Deed]?

    /// Creates a result.
    package init(deeds: [Deed]? = nil) {
        self.deeds = deeds
    }
}

/// Identifies several devices.
package struct DeviceTargets: Hashable, Sendable, Codable {
    /// The IDs of the devices.
    package var ids: [UUID]

    /// Creates a target.
    package init(ids: [UUID]) {
        self.ids = ids
    }
}
