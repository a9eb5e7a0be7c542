public import HAP

/// A standalone accessory or bridge that the simulator hosts and that can be paired.
public struct RunningAccessory: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The device ID.
    public var deviceID: DeviceID
    /// The TCP port.
    public var port: Int
    /// The setup code.
    public var setupCode: SetupCode
    /// The setup payload of the QR code.
    public var setupPayload: SetupPayload
    /// Whether it was paired when it started.
    public var isPaired: Bool
    /// Whether it differs from its file because it was edited.
    public var isEdited: Bool
}
