public import HAP
public import HAPCatalog

/// The closures with which the owner of an ``AccessoryServer`` handles requests of controllers.
///
/// Both are called on the server's event loop, serially and in the order of the events. They must not block, because
/// they would block all connections of the server.
public struct AccessoryServerHandlers: Sendable {
    /// A closure that accepts or rejects a valid write before it takes effect, or `nil` to accept all.
    public var write: (@Sendable (CharacteristicWrite) -> WriteDecision)?
    /// A closure that receives events.
    public var event: @Sendable (AccessoryServerEvent) -> Void

    /// Creates handlers. By default, all writes are accepted.
    public init(
        write: (@Sendable (CharacteristicWrite) -> WriteDecision)? = nil,
        event: @escaping @Sendable (AccessoryServerEvent) -> Void = { _ in }
    ) {
        self.write = write
        self.event = event
    }
}

/// A write from a controller.
public struct CharacteristicWrite: Hashable, Sendable {
    /// The characteristic.
    public var address: CharacteristicAddress
    /// The value, validated and converted to its format.
    public var value: CharacteristicValue
    /// The controller.
    public var controller: PairingID
    /// Additional authorization data, for characteristics with the permission `aa`.
    public var authorizationData: [UInt8]?
    /// Whether the request came from a remote controller through a home hub.
    public var isRemote: Bool
}

extension CharacteristicWrite: CustomReflectable {
    /// A mirror without the authorization data, so that printing and dumping don't show it.
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

/// The decision of an ``AccessoryServerHandlers/write`` handler.
public enum WriteDecision: Hashable, Sendable {
    /// The value is stored, and subscribers are notified.
    case accept
    /// The write is accepted, and another value is stored and returned to a controller that requested a response.
    case respond(CharacteristicValue)
    /// The write is rejected with this status.
    case refuse(HAPStatus)
}
