package import Foundation

/// Pairs an accessory server and adds its accessories. The server is found by its device ID, or by host and port.
package struct AddAccessory: Hashable, Sendable, Codable {
    package var home: UUID
    /// The ID that the browser reported (``DiscoveredAccessory/id``).
    package var discovered: UUID?
    /// The advertised HAP device ID, `XX:XX:XX:XX:XX:XX`.
    package var deviceID: String?
    /// The accessory server's host name or address, if mDNS can't find it.
    package var host: String?
    /// The accessory server's TCP port, used with `host`.
    package var port: Int?
    /// The setup code. If `nil`, the hub asks for it with a ``Question``.
    package var code: String?
    /// The name for the accessory; by default its own name, made valid and unique.
    package var name: String?
    /// The room for the accessory and all its bridged accessories; by default the default room.
    package var room: UUID?

    /// Creates the parameters. Exactly one of `discovered`, `deviceID` and `host` must be given.
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

/// The result of adding accessories.
package struct AddedAccessories: Hashable, Sendable, Codable {
    /// The IDs of the accessories, a bridge first.
    package var ids: [UUID]

    package init(ids: [UUID]) {
        self.ids = ids
    }
}

/// Imports an accessory server that another controller has paired, with the help of that controller's pairing.
package struct ImportAccessory: Hashable, Sendable, Codable {
    package var home: UUID
    /// The accessory server's HAP device ID, `XX:XX:XX:XX:XX:XX`.
    package var deviceID: String
    /// The accessory server's long-term public key, 32 bytes.
    package var accessoryKey: Data
    /// The other controller's pairing ID.
    package var controllerID: String
    /// The 32 secret bytes of the other controller's long-term key. The hub doesn't store them.
    package var controllerSecret: Data
    /// Host names or addresses of the accessory server, if mDNS can't find it.
    package var hosts: [String]
    /// The accessory server's TCP port, used with `hosts`.
    package var port: Int?
    /// The room for the accessory and all its bridged accessories; by default the default room.
    package var room: UUID?
    /// Whether this is a dry run: the hub asks the accessory server whether the import would work, and changes nothing.
    package var isDryRun: Bool
    /// Whether to remove the other controller's pairing once the home has its own.
    package var removesOtherController: Bool

    private enum CodingKeys: String, CodingKey {
        case home, deviceID, accessoryKey, controllerID, controllerSecret, hosts, port, room
        case isDryRun = "isRehearsal"
        case removesOtherController = "takesOver"
    }

    package init(
        home: UUID,
        deviceID: String,
        accessoryKey: Data,
        controllerID: String,
        controllerSecret: Data,
        hosts: [String] = [],
        port: Int? = nil,
        room: UUID? = nil,
        isDryRun: Bool = false,
        removesOtherController: Bool = false
    ) {
        self.home = home
        self.deviceID = deviceID
        self.accessoryKey = accessoryKey
        self.controllerID = controllerID
        self.controllerSecret = controllerSecret
        self.hosts = hosts
        self.port = port
        self.room = room
        self.isDryRun = isDryRun
        self.removesOtherController = removesOtherController
    }
}

/// The result of importing an accessory server.
package struct ImportedAccessory: Hashable, Sendable, Codable {
    /// A code for the result. Unknown codes are preserved.
    package struct Outcome: Hashable, Sendable, Codable, RawRepresentable {
        /// The code in messages.
        package var rawValue: String

        /// Creates an outcome from its code.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The accessories have been added to the home, with a pairing of the home's own.
        package static let added = Outcome(rawValue: "added")
        /// The accessories were already in the home; nothing changed.
        package static let present = Outcome(rawValue: "present")
        /// The home has a pairing with its accessories again, after it had lost the previous one.
        package static let renewed = Outcome(rawValue: "renewed")
        /// The accessories could be added: the accessory server accepts the other controller as an admin.
        package static let possible = Outcome(rawValue: "possible")
    }

    /// The result as a code.
    package var outcome: Outcome
    /// The IDs of the accessories, a bridge first; empty in a dry run.
    package var ids: [UUID]
    /// Why the other controller's pairing couldn't be removed; `nil` if it was removed, or wasn't to be.
    package var removalFailure: String?

    private enum CodingKeys: String, CodingKey {
        case outcome, ids
        case removalFailure = "remains"
    }

    package init(outcome: Outcome, ids: [UUID], removalFailure: String? = nil) {
        self.outcome = outcome
        self.ids = ids
        self.removalFailure = removalFailure
    }
}

/// Finds an accessory by its long-term public key.
package struct FindAccessory: Hashable, Sendable, Codable {
    /// The key, 32 bytes.
    package var publicKey: Data

    package init(publicKey: Data) {
        self.publicKey = publicKey
    }
}

/// An accessory that was found in one of the user's homes.
package struct FoundAccessory: Hashable, Sendable, Codable {
    package var home: UUID
    /// The ID of the accessory: the bridge, not a bridged accessory.
    package var id: UUID

    package init(home: UUID, id: UUID) {
        self.home = home
        self.id = id
    }
}

/// Identifies an accessory that isn't in a home.
package struct DiscoveredTarget: Hashable, Sendable, Codable {
    /// The ID that the browser reported.
    package var id: UUID

    package init(id: UUID) {
        self.id = id
    }
}
