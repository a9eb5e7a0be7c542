package import HAP

/// What another controller keeps of an accessory server that it has paired. It holds that controller's secret key, so treat
/// it as a secret; printing it shows none.
package struct ExternalPairing: Hashable, Sendable {
    /// The accessory server's identity on the network.
    package let deviceID: DeviceID
    /// The accessory server's long-term public key.
    package let accessoryPublicKey: LongTermPublicKey
    /// Who the other controller is to this accessory server.
    package let controllerIdentity: ControllerIdentity
    /// Host names or addresses where the accessory server was reached last, the likeliest first; often none.
    package let hosts: [String]
    /// The TCP port at these hosts, 1 to 65535; nil if the file does not tell it.
    package let port: Int?

    /// Creates a pairing of its parts.
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
