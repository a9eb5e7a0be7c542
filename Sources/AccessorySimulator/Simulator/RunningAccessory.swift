public import HAP

/// A standalone accessory or bridge that the simulator hosts, ready to be paired.
public struct RunningAccessory: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The device ID.
    public var deviceID: DeviceID
    /// The TCP port.
    public var port: Int
    /// The code that a person types in to pair.
    public var setupCode: SetupCode
    /// What the QR code for set-up holds.
    public var setupPayload: SetupPayload
    /// Whether a controller was paired when it became ready.
    public var isPaired: Bool
    /// Whether it is served as it was edited while it ran, and not as its file says.
    public var isEdited: Bool
}
