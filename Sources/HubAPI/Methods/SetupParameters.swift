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
    /// A value of the client's own, at most ``referenceLength`` characters, that the setup's questions contain. The client
    /// recognizes the questions of its own setup by it.
    package var reference: String?

    /// The maximum length of a reference in Unicode scalars.
    package static let referenceLength = 64

    package init(
        home: UUID? = nil,
        payload: String? = nil,
        deviceID: String? = nil,
        name: String? = nil,
        room: UUID? = nil,
        reference: String? = nil
    ) {
        self.home = home
        self.payload = payload
        self.deviceID = deviceID
        self.name = name
        self.room = room
        self.reference = reference
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
