public import Foundation

/// Pairs and adds what an accessory server hosts. How to reach it: by the id it advertises, or by host and port.
public struct AddAccessory: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The identity under which the browser showed it (``DiscoveredAccessory/id``).
    public var discovered: UUID?
    /// The HAP device id `XX:XX:XX:XX:XX:XX` that it advertises.
    public var deviceID: String?
    /// Its host name or address, where it is not found by mDNS.
    public var host: String?
    /// Its TCP port, with `host`.
    public var port: Int?
    /// The set-up code. Without one the hub asks a ``Question``.
    public var code: String?
    /// The name that it shall have; else its own, made valid and unique.
    public var name: String?
    /// The room for it and all behind it; else the default room.
    public var room: UUID?

    /// Makes the parameters. Exactly one of `discovered`, `deviceID` and `host` is given.
    public init(
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
public struct AddedAccessories: Hashable, Sendable, Codable {
    /// The accessories, a bridge first.
    public var ids: [UUID]

    /// Makes the result.
    public init(ids: [UUID]) {
        self.ids = ids
    }
}

/// Names an accessory by its long-term public key.
public struct FindAccessory: Hashable, Sendable, Codable {
    /// The key's 32 bytes.
    public var publicKey: Data

    /// Makes the parameters.
    public init(publicKey: Data) {
        self.publicKey = publicKey
    }
}

/// An accessory that was found in one of the user's homes.
public struct FoundAccessory: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The accessory; a bridge itself, not one behind it.
    public var id: UUID

    /// Makes the result.
    public init(home: UUID, id: UUID) {
        self.home = home
        self.id = id
    }
}

/// Names an accessory that is in no home.
public struct DiscoveredTarget: Hashable, Sendable, Codable {
    /// The identity under which the browser showed it.
    public var id: UUID

    /// Makes the parameters.
    public init(id: UUID) {
        self.id = id
    }
}

/// Moves an accessory to a room. What is behind a bridge does not move with it.
public struct MoveAccessory: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The accessory.
    public var id: UUID
    /// The room; the home's default room is allowed.
    public var room: UUID

    /// Makes the parameters.
    public init(home: UUID, id: UUID, room: UUID) {
        self.home = home
        self.id = id
        self.room = room
    }
}

/// Renames a service.
public struct RenameService: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The accessory.
    public var accessory: UUID
    /// The service's instance id.
    public var iid: UInt64
    /// The new name.
    public var name: String

    /// Makes the parameters.
    public init(home: UUID, accessory: UUID, iid: UInt64, name: String) {
        self.home = home
        self.accessory = accessory
        self.iid = iid
        self.name = name
    }
}
