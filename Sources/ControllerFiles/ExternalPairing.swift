public import HAP

/// What another controller keeps of an accessory server that it has paired. It holds that controller's secret key, so treat
/// it as a secret; printing it shows none.
public struct ExternalPairing: Hashable, Sendable {
    /// The accessory server's identity on the network.
    public let deviceID: DeviceID
    /// The accessory server's long-term public key.
    public let accessoryPublicKey: LongTermPublicKey
    /// Who the other controller is to this accessory server.
    public let controllerIdentity: ControllerIdentity
    /// Host names or addresses where the accessory server was reached last, the likeliest first; often none.
    public let hosts: [String]
    /// The TCP port at these hosts, 1 to 65535; nil if the file does not tell it.
    public let port: Int?

    /// Makes a pairing of its parts.
    public init(
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
