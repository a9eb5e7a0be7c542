/// The two keys of a secure session. They belong to one connection, whose counters start at 0.
public struct SessionKeys: Hashable, Sendable {
    /// The key for messages from the accessory to the controller.
    public let accessoryToController: FrameKey
    /// The key for messages from the controller to the accessory.
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
