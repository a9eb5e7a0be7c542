package import Foundation

/// Guides a user through adding an accessory or a bridge.
package struct SetUpAccessories: Hashable, Sendable, Codable {
    /// The ID of the home; by default the only one, or the one that the user chooses.
    package var home: UUID?
    /// The setup payload of the accessory's QR code or NFC tag (`X-HM://…`), which has the setup code and the setup ID.
    package var payload: String?
    /// The advertised HAP device ID; by default the one that the payload identifies or the user chooses.
    package var deviceID: String?
    /// The name to suggest; by default the accessory's own.
    package var name: String?
    /// The ID of the room to suggest; by default the default room.
    package var room: UUID?

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

/// The result of a guided setup.
package struct SetUpResult: Hashable, Sendable, Codable {
    package var home: UUID
    /// The IDs of the accessories, a bridge first.
    package var ids: [UUID]

    package init(home: UUID, ids: [UUID]) {
        self.home = home
        self.ids = ids
    }
}
