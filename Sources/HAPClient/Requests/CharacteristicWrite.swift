package import HAP
package import HAPCatalog

/// One value to write to an accessory.
package struct CharacteristicWrite: Hashable, Sendable {
    /// The characteristic.
    package var id: CharacteristicID
    /// The value. It is sent in the form that the characteristic's format asks for, if it has one.
    package var value: CharacteristicValue
    /// Additional authorization data, for characteristics with permission `aa`.
    package var authorizationData: [UInt8]?
    /// Whether the command came from afar, through a home hub.
    package var isRemote: Bool
    /// Whether the outcome shall hold the value after the write, for characteristics with permission `wr`.
    package var wantsResponse: Bool

    /// Creates a write.
    package init(
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
    /// Everything but the authorization data, so that printing and dumping do not show it.
    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "value": value, "isRemote": isRemote, "wantsResponse": wantsResponse,
                "hasAuthorizationData": authorizationData != nil,
            ]
        )
    }
}
