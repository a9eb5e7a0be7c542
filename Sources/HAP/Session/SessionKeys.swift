/// The two keys of a secure session. Each key belongs to one connection: its counters begin at 0 with it.
public struct SessionKeys: Hashable, Sendable {
    /// Seals what the accessory sends and opens what the controller receives.
    public let accessoryToController: FrameKey
    /// Seals what the controller sends and opens what the accessory receives.
    public let controllerToAccessory: FrameKey

    /// Creates a pair of keys.
    public init(accessoryToController: FrameKey, controllerToAccessory: FrameKey) {
        self.accessoryToController = accessoryToController
        self.controllerToAccessory = controllerToAccessory
    }

    /// Derives the keys of a transient session from the SRP session key of its pair-setup.
    init(transientSessionKey: [UInt8]) {
        accessoryToController = FrameKey(.transientAccessoryToController, from: transientSessionKey)
        controllerToAccessory = FrameKey(.transientControllerToAccessory, from: transientSessionKey)
    }

    /// Derives the keys of a session from the X25519 secret of its pair-verify.
    init(sharedSecret: [UInt8]) {
        accessoryToController = FrameKey(.accessoryToController, from: sharedSecret)
        controllerToAccessory = FrameKey(.controllerToAccessory, from: sharedSecret)
    }
}
