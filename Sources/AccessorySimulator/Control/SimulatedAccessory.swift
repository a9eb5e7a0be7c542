internal import HAP
package import HAPCatalog

/// A summary of a hosted accessory.
package struct AccessorySummary: Codable, Sendable {
    /// The name.
    package var name: String
    /// The serial number.
    package var serialNumber: String
    /// The serial number of its bridge.
    package var bridge: String?
    /// The name of its category. Only for a server's primary accessory, as are all properties below.
    package var category: String?
    /// The device ID.
    package var id: String?
    /// The TCP port.
    package var port: Int?
    /// Whether a controller is paired.
    package var isPaired: Bool?
    /// The configuration number.
    package var configurationNumber: Int?
    /// The setup code.
    package var setupCode: String?
    /// The setup payload of the QR code.
    package var setupPayload: String?
}

/// The setup code of an accessory.
package struct ControlCode: Codable, Sendable {
    /// A QR code, ready to draw.
    package struct Symbol: Codable, Sendable {
        /// The number of modules per side, without the light border of four modules that a reader needs.
        package var side: Int
        /// The dark modules as the data of a path in SVG, in which a module is one unit wide.
        package var path: String
    }

    /// The setup code.
    package var setupCode: String
    /// The setup payload.
    package var setupPayload: String
    /// The payload's QR code.
    package var symbol: Symbol

    init(setupCode: String, setupPayload: String, symbol: QRCode) {
        self.setupCode = setupCode
        self.setupPayload = setupPayload
        self.symbol = Symbol(side: symbol.side, path: symbol.path)
    }
}

/// An exported accessory file.
package struct ControlFile: Codable, Sendable {
    /// The file's text.
    package var file: String
}

/// A hosted accessory with its services.
package struct AccessoryDetail: Codable, Sendable {
    /// A summary of the accessory.
    package var summary: AccessorySummary
    /// The accessory's aid.
    package var aid: UInt64
    /// The services, including Accessory Information.
    package var services: [ServiceDetail]
}

/// A service of a hosted accessory.
package struct ServiceDetail: Codable, Sendable {
    /// The key.
    package var key: String
    /// The type: its name in the catalog, or its UUID.
    package var type: String
    /// The service's iid.
    package var iid: UInt64
    /// Whether it is the accessory's primary service.
    package var isPrimary: Bool
    /// Whether it is hidden from users.
    package var isHidden: Bool
    /// The iids of its linked services.
    package var linked: [UInt64]
    /// The characteristics.
    package var characteristics: [CharacteristicDetail]
}

/// A characteristic of a hosted accessory.
package struct CharacteristicDetail: Codable, Sendable {
    /// The name in the catalog, or the UUID.
    package var name: String
    /// The type.
    package var type: HAPType
    /// The characteristic's iid.
    package var iid: UInt64
    /// The permissions of controllers.
    package var permissions: CharacteristicPermissions
    /// The format, unit and bounds.
    package var metadata: CharacteristicMetadata
    /// The current value.
    package var value: CharacteristicValue?
}
