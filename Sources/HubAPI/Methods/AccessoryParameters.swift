package import Foundation

/// Pairs and adds what an accessory server hosts. How to reach it: by the id it advertises, or by host and port.
package struct AddAccessory: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The identity under which the browser showed it (``DiscoveredAccessory/id``).
    package var discovered: UUID?
    /// The HAP device id `XX:XX:XX:XX:XX:XX` that it advertises.
    package var deviceID: String?
    /// Its host name or address, where it is not found by mDNS.
    package var host: String?
    /// Its TCP port, with `host`.
    package var port: Int?
    /// The set-up code. Without one the hub asks a ``Question``.
    package var code: String?
    /// The name that it shall have; else its own, made valid and unique.
    package var name: String?
    /// The room for it and all behind it; else the default room.
    package var room: UUID?

    /// Makes the parameters. Exactly one of `discovered`, `deviceID` and `host` is given.
    package init(
        home: UUID,
        discovered: UUID? = nil,
        deviceID: String? = nil,
        host: String? = nil,
        port: Int? = nil,
        code: String? = nil,
        name: String? = nil,
        room: UUID? = nil
    ) {
        self.home = home
        self.discovered = discovered
        self.deviceID = deviceID
        self.host = host
        self.port = port
        self.code = code
        self.name = name
        self.room = room
    }
}

/// What an addition brought into the home.
package struct AddedAccessories: Hashable, Sendable, Codable {
    /// The accessories, a bridge first.
    package var ids: [UUID]

    /// Makes the result.
    package init(ids: [UUID]) {
        self.ids = ids
    }
}

/// Takes over what an accessory server hosts that another controller has paired, by that controller's pairing.
package struct ImportAccessory: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The accessory server's HAP device id `XX:XX:XX:XX:XX:XX`.
    package var deviceID: String
    /// The accessory server's long-term public key, 32 bytes.
    package var accessoryKey: Data
    /// The other controller's pairing identifier.
    package var controllerID: String
    /// The 32 secret bytes of the other controller's long-term key. The hub does not keep them.
    package var controllerSecret: Data
    /// Host names or addresses of the accessory server, where it is not found by mDNS.
    package var hosts: [String]
    /// Its TCP port, with `hosts`.
    package var port: Int?
    /// The room for it and all behind it; else the default room.
    package var room: UUID?
    /// Whether it is only found out if it could be done: the accessory server is asked, and nothing is changed.
    package var isRehearsal: Bool
    /// Whether the other controller's pairing is removed when the home has its own.
    package var takesOver: Bool

    /// Makes the parameters.
    package init(
        home: UUID,
        deviceID: String,
        accessoryKey: Data,
        controllerID: String,
        controllerSecret: Data,
        hosts: [String] = [],
        port: Int? = nil,
        room: UUID? = nil,
        isRehearsal: Bool = false,
        takesOver: Bool = false
    ) {
        self.home = home
        self.deviceID = deviceID
        self.accessoryKey = accessoryKey
        self.controllerID = controllerID
        self.controllerSecret = controllerSecret
        self.hosts = hosts
        self.port = port
        self.room = room
        self.isRehearsal = isRehearsal
        self.takesOver = takesOver
    }
}

/// What came of the import of an accessory server.
package struct ImportedAccessory: Hashable, Sendable, Codable {
    /// What was done, in one word. Kept open.
    package struct Outcome: Hashable, Sendable, Codable, RawRepresentable {
        /// The word in messages.
        package var rawValue: String

        /// Wraps a word.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The accessories are in the home now, by a pairing of the home's own.
        package static let added = Outcome(rawValue: "added")
        /// The accessories were in the home before; nothing had to be done.
        package static let present = Outcome(rawValue: "present")
        /// The accessories of the home have the home's pairing again, which they had lost.
        package static let renewed = Outcome(rawValue: "renewed")
        /// The accessories could be added: the accessory server accepts the other controller as an admin.
        package static let possible = Outcome(rawValue: "possible")
    }

    /// What was done.
    package var outcome: Outcome
    /// The accessories, a bridge first; none in a rehearsal.
    package var ids: [UUID]
    /// Why the other controller's pairing is still there although it was to be removed; nil otherwise.
    package var remains: String?

    /// Makes the result.
    package init(outcome: Outcome, ids: [UUID], remains: String? = nil) {
        self.outcome = outcome
        self.ids = ids
        self.remains = remains
    }
}

/// Names an accessory by its long-term public key.
package struct FindAccessory: Hashable, Sendable, Codable {
    /// The key's 32 bytes.
    package var publicKey: Data

    /// Makes the parameters.
    package init(publicKey: Data) {
        self.publicKey = publicKey
    }
}

/// An accessory that was found in one of the user's homes.
package struct FoundAccessory: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The accessory; a bridge itself, not one behind it.
    package var id: UUID

    /// Makes the result.
    package init(home: UUID, id: UUID) {
        self.home = home
        self.id = id
    }
}

/// Names an accessory that is in no home.
package struct DiscoveredTarget: Hashable, Sendable, Codable {
    /// The identity under which the browser showed it.
    package var id: UUID

    /// Makes the parameters.
    package init(id: UUID) {
        self.id = id
    }
}
