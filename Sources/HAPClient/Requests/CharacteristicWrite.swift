public import HAP
public import HAPCatalog

/// One value to write to an accessory.
public struct CharacteristicWrite: Hashable, Sendable {
    /// The characteristic.
    public var id: CharacteristicID
    /// The value. It is sent in the form that the characteristic's format asks for, if it has one.
    public var value: CharacteristicValue
    /// Additional authorisation data, for characteristics with permission `aa`.
    public var authorizationData: [UInt8]?
    /// Whether the command came from afar, through a home hub.
    public var isRemote: Bool
    /// Whether the outcome shall hold the value after the write, for characteristics with permission `wr`.
    public var wantsResponse: Bool

    /// Makes a write.
    public init(
        id: CharacteristicID,
        value: CharacteristicValue,
        authorizationData: [UInt8]? = nil,
        isRemote: Bool = false,
        wantsResponse: Bool = false
    ) {
        self.id = id
        self.value = value
        self.authorizationData = authorizationData
        self.isRemote = isRemote
        self.wantsResponse = wantsResponse
    }
}

extension CharacteristicWrite: CustomReflectable {
    /// Everything but the authorisation data, so that printing and dumping do not show it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "value": value, "isRemote": isRemote, "wantsResponse": wantsResponse,
                "hasAuthorizationData": authorizationData != nil,
            ]
        )
    }
}
