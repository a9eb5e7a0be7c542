package import HAPCatalog

/// A hosted accessory in a line, as the control lists it.
package struct AccessorySummary: Codable, Sendable {
    /// The name.
    package var name: String
    /// The serial number.
    package var serialNumber: String
    /// The serial number of the bridge that it is behind.
    package var bridge: String?
    /// The name of its category; only of a server's own accessory, as everything below.
    package var category: String?
    /// The device ID.
    package var id: String?
    /// The TCP port.
    package var port: Int?
    /// Whether a controller is paired.
    package var isPaired: Bool?
    /// The configuration number.
    package var configurationNumber: Int?
    /// The set-up code.
    package var setupCode: String?
    /// What the QR code for set-up holds.
    package var setupPayload: String?
}

/// An accessory file, as the control exports it.
package struct ControlFile: Codable, Sendable {
    /// The file's text.
    package var file: String
}

/// A hosted accessory with its services.
package struct AccessoryDetail: Codable, Sendable {
    /// The accessory in a line.
    package var summary: AccessorySummary
    /// Its aid.
    package var aid: UInt64
    /// Its services, Accessory Information among them.
    package var services: [ServiceDetail]
}

/// A service of a hosted accessory.
package struct ServiceDetail: Codable, Sendable {
    /// The key.
    package var key: String
    /// The type: the catalogue's name, or the UUID.
    package var type: String
    /// Its iid.
    package var iid: UInt64
    /// Whether it is what the accessory mainly does.
    package var isPrimary: Bool
    /// Whether it is not to be shown to people.
    package var isHidden: Bool
    /// The iids of the services that belong to it.
    package var linked: [UInt64]
    /// Its characteristics.
    package var characteristics: [CharacteristicDetail]
}

/// A characteristic of a hosted accessory.
package struct CharacteristicDetail: Codable, Sendable {
    /// The catalogue's name, or the UUID.
    package var name: String
    /// The type.
    package var type: HAPType
    /// Its iid.
    package var iid: UInt64
    /// What a controller may do with it.
    package var permissions: CharacteristicPermissions
    /// Format, unit and bounds.
    package var metadata: CharacteristicMetadata
    /// The present value.
    package var value: CharacteristicValue?
}
