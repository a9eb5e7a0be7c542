/// The two keys of a secure session. They belong to one connection, whose counters start at 0.
public struct SessionKeys: Hashable, Sendable {
    /// The key for messages from the accessory to the controller.
    public let accessoryToController: FrameKey
    /// The key for messages from the controller to the accessory.
    public let controllerToAccessory: FrameKey
    /// The secret from which the keys were derived, for protocols that derive more. `nil` if the keys were given.
    package let secret: SessionSecret?

    /// Creates a pair of keys.
    public init(accessoryToController: FrameKey, controllerToAccessory: FrameKey) {
        self.accessoryToController = accessoryToController
        self.controllerToAccessory = controllerToAccessory
        secret = nil
    }

    /// Derives the keys of a transient session from the SRP session key of its pair-setup.
    init(transientSessionKey: [UInt8]) {
        (accessoryToController, controllerToAccessory) = FrameKey.pair(
            .transientAccessoryToController,
            .transientControllerToAccessory,
            from: transientSessionKey
        )
        secret = SessionSecret(transientSessionKey)
    }

    /// Derives the keys of a session from the X25519 secret of its pair-verify.
    init(sharedSecret: [UInt8]) {
        (accessoryToController, controllerToAccessory) = FrameKey.pair(
            .accessoryToController,
            .controllerToAccessory,
            from: sharedSecret
        )
        secret = SessionSecret(sharedSecret)
    }

    /// Returns whether the keys are equal.
    public static func == (left: SessionKeys, right: SessionKeys) -> Bool {
        left.accessoryToController == right.accessoryToController
            && left.controllerToAccessory == right.controllerToAccessory
    }

    /// Hashes the keys.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(accessoryToController)
        hasher.combine(controllerToAccessory)
    }
}
