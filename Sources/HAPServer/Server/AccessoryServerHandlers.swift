public import HAP
public import HAPCatalog

/// What the owner of an ``AccessoryServer`` does when controllers ask for something.
///
/// Both are called on the server's event loop, one call at a time and in the order in which things happen. They must
/// not wait: every connection of the server waits with them.
public struct AccessoryServerHandlers: Sendable {
    /// Decides about a write that the protocol allows, before it takes effect.
    public var write: @Sendable (CharacteristicWrite) -> WriteDecision
    /// Hears of what has happened.
    public var event: @Sendable (AccessoryServerEvent) -> Void

    /// Creates handlers; by default every write is accepted.
    public init(
        write: @escaping @Sendable (CharacteristicWrite) -> WriteDecision = { _ in .accept },
        event: @escaping @Sendable (AccessoryServerEvent) -> Void = { _ in }
    ) {
        self.write = write
        self.event = event
    }
}

/// A value that a controller wants to write.
public struct CharacteristicWrite: Hashable, Sendable {
    /// The characteristic.
    public var address: CharacteristicAddress
    /// The value, valid and in its format's form.
    public var value: CharacteristicValue
    /// The controller.
    public var controller: PairingID
    /// What the controller sent to be authorized, for characteristics with permission `aa`.
    public var authorizationData: [UInt8]?
    /// Whether the command came from afar, through a home hub.
    public var isRemote: Bool
}

extension CharacteristicWrite: CustomReflectable {
    /// Everything but the authorization data, so that printing and dumping do not show it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "address": address, "value": value, "controller": controller, "isRemote": isRemote,
                "hasAuthorizationData": authorizationData != nil,
            ]
        )
    }
}

/// The answer of an ``AccessoryServerHandlers/write`` handler.
public enum WriteDecision: Hashable, Sendable {
    /// The value is stored and the subscribers hear of it.
    case accept
    /// The value is taken, and another one is stored and returned to a controller that asked for a response.
    case respond(CharacteristicValue)
    /// Nothing is stored; the controller is told this status.
    case refuse(HAPStatus)
}
