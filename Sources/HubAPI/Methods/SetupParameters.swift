package import Foundation

/// Leads a person through the addition of an accessory or a bridge.
package struct SetUpAccessories: Hashable, Sendable, Codable {
    /// The home; otherwise the only one, or the one that the person chooses.
    package var home: UUID?
    /// What the accessory's QR code or NFC tag says (`X-HM://…`): its set-up code, and which one it is.
    package var payload: String?
    /// The HAP device id that it advertises; otherwise the one that the payload names or the person chooses.
    package var deviceID: String?
    /// The name to suggest; otherwise its own.
    package var name: String?
    /// The room to suggest; otherwise the default room.
    package var room: UUID?

    /// Makes the parameters.
    package init(
        home: UUID? = nil,
        payload: String? = nil,
        deviceID: String? = nil,
        name: String? = nil,
        room: UUID? = nil
    ) {
        self.home = home
        self.payload = payload
        self.deviceID = deviceID
        self.name = name
        self.room = room
    }
}

/// What was set up.
package struct SetUpResult: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The accessories, a bridge first.
    package var ids: [UUID]

    /// Makes the result.
    package init(home: UUID, ids: [UUID]) {
        self.home = home
        self.ids = ids
    }
}
