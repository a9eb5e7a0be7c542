internal import HAPCatalog
package import HAP

/// A controller's record of a paired accessory server, with everything that a session needs. It contains the
/// controller's secret key, so store it with the secrets. Printing it doesn't reveal the secret.
package struct AccessoryPairing: Hashable, Sendable {
    /// The accessory server's device ID.
    package let deviceID: DeviceID
    /// The accessory server's long-term public key.
    package let accessoryPublicKey: LongTermPublicKey
    /// The controller's identity to this accessory server.
    package let controllerIdentity: ControllerIdentity

    /// Creates a pairing from its parts.
    package init(
        deviceID: DeviceID,
        accessoryPublicKey: LongTermPublicKey,
        controllerIdentity: ControllerIdentity
    ) {
        self.deviceID = deviceID
        self.accessoryPublicKey = accessoryPublicKey
        self.controllerIdentity = controllerIdentity
    }

    /// The accessory that pair-verify must authenticate.
    var accessory: PairedAccessory {
        PairedAccessory(deviceID: deviceID, publicKey: accessoryPublicKey)
    }
}

extension AccessoryPairing: CustomStringConvertible {
    /// A description with the accessory's device ID.
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
                debugDescription: "A seed must have \(LongTermKeyPair.seedLength) bytes, in base64"
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

    /// Encodes the pairing, including the controller's secret key.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deviceID, forKey: .deviceID)
        try container.encode(accessoryPublicKey, forKey: .accessoryPublicKey)
        try container.encode(controllerIdentity.pairingID, forKey: .controllerID)
        try container.encode(Base64.encode(controllerIdentity.keyPair.seed), forKey: .controllerSeed)
    }
}
