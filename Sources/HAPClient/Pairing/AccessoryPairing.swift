internal import HAPCatalog
package import HAP

/// What a controller keeps of a paired accessory server: all that a session needs. It holds the controller's secret key:
/// store it with the secrets. Printing it shows no secret.
package struct AccessoryPairing: Hashable, Sendable {
    /// The accessory server's identity on the network.
    package let deviceID: DeviceID
    /// The accessory server's long-term public key.
    package let accessoryPublicKey: LongTermPublicKey
    /// Who the controller is to this accessory server.
    package let controllerIdentity: ControllerIdentity

    /// Creates a pairing of its parts.
    package init(
        deviceID: DeviceID,
        accessoryPublicKey: LongTermPublicKey,
        controllerIdentity: ControllerIdentity
    ) {
        self.deviceID = deviceID
        self.accessoryPublicKey = accessoryPublicKey
        self.controllerIdentity = controllerIdentity
    }

    /// What pair-verify has to find.
    var accessory: PairedAccessory {
        PairedAccessory(deviceID: deviceID, publicKey: accessoryPublicKey)
    }
}

extension AccessoryPairing: CustomStringConvertible {
    /// The accessory's device ID.
    package var description: String { "pairing with \(deviceID)" }
}

extension AccessoryPairing: Codable {
    private enum CodingKeys: String, CodingKey {
        case deviceID
        case accessoryPublicKey
        case controllerID
        case controllerSeed
    }

    /// Decodes a stored pairing.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let seed = Base64.decode(try container.decode(String.self, forKey: .controllerSeed))
        guard let keyPair = seed.flatMap(LongTermKeyPair.init) else {
            throw DecodingError.dataCorruptedError(
                forKey: .controllerSeed,
                in: container,
                debugDescription: "A seed has \(LongTermKeyPair.seedLength) bytes in base64"
            )
        }
        self.init(
            deviceID: try container.decode(DeviceID.self, forKey: .deviceID),
            accessoryPublicKey: try container.decode(LongTermPublicKey.self, forKey: .accessoryPublicKey),
            controllerIdentity: ControllerIdentity(
                pairingID: try container.decode(PairingID.self, forKey: .controllerID),
                keyPair: keyPair
            )
        )
    }

    /// Encodes the pairing with the controller's secret.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deviceID, forKey: .deviceID)
        try container.encode(accessoryPublicKey, forKey: .accessoryPublicKey)
        try container.encode(controllerIdentity.pairingID, forKey: .controllerID)
        try container.encode(Base64.encode(controllerIdentity.keyPair.seed), forKey: .controllerSeed)
    }
}
