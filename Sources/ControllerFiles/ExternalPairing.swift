package import HAP

/// Another controller's record of a paired accessory server. It contains that controller's secret key, so treat it as a
/// secret. Printing it doesn't reveal the key.
package struct ExternalPairing: Hashable, Sendable {
    /// The accessory server's device ID.
    package let deviceID: DeviceID
    /// The accessory server's long-term public key.
    package let accessoryPublicKey: LongTermPublicKey
    /// The other controller's identity to this accessory server.
    package let controllerIdentity: ControllerIdentity
    /// The host names or addresses at which the accessory server was last reached, the most likely first. Often empty.
    package let hosts: [String]
    /// The TCP port, 1 to 65535, or `nil` if the file doesn't contain it.
    package let port: Int?

    /// Creates a pairing from its parts.
    package init(
        deviceID: DeviceID,
        accessoryPublicKey: LongTermPublicKey,
        controllerIdentity: ControllerIdentity,
        hosts: [String],
        port: Int?
    ) {
        self.deviceID = deviceID
        self.accessoryPublicKey = accessoryPublicKey
        self.controllerIdentity = controllerIdentity
        self.hosts = hosts
        self.port = port
    }
}
