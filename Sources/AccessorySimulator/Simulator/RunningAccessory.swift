public import HAP

/// A standalone accessory or bridge that the simulator hosts and that can be paired.
public struct RunningAccessory: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The device ID.
    public var deviceID: DeviceID
    /// The TCP port, or 0 while the accessory isn't on the network.
    public var port: Int
    /// Whether the accessory is on the network. If it isn't, a controller must configure it first.
    public var isOnNetwork: Bool { port != 0 }
    /// The setup code.
    public var setupCode: SetupCode
    /// The setup payload of the QR code.
    public var setupPayload: SetupPayload
    /// Whether it was paired when it started.
    public var isPaired: Bool
    /// Whether it differs from its file because it was edited.
    public var isEdited: Bool
}
