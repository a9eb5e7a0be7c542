package import HAP
package import HAPCatalog

/// A write of one value to an accessory.
package struct CharacteristicWrite: Hashable, Sendable {
    /// The characteristic.
    package var id: CharacteristicID
    /// The value. It is converted to the characteristic's format if possible.
    package var value: CharacteristicValue
    /// Additional authorization data, for characteristics with the permission `aa`.
    package var authorizationData: [UInt8]?
    /// Whether the request came from a remote controller through a home hub.
    package var isRemote: Bool
    /// Whether the outcome should include the value after the write, for characteristics with the permission `wr`.
    package var wantsResponse: Bool
    /// How long the write stays prepared at the accessory, if it is to be prepared although the accessory doesn't require
    /// it; `nil` if only accessories decide. One that can't prepare it executes it at once.
    package var preparation: Duration?
    /// What withdraws the write while it waits; `nil` if nothing does.
    package var withdrawal: WriteWithdrawal?

    /// Creates a write.
    package init(
        id: CharacteristicID,
        value: CharacteristicValue,
        authorizationData: [UInt8]? = nil,
        isRemote: Bool = false,
        wantsResponse: Bool = false,
        preparation: Duration? = nil,
        withdrawal: WriteWithdrawal? = nil
    ) {
        self.id = id
        self.value = value
        self.authorizationData = authorizationData
        self.isRemote = isRemote
        self.wantsResponse = wantsResponse
        self.preparation = preparation
        self.withdrawal = withdrawal
    }
}

extension CharacteristicWrite: CustomReflectable {
    /// A mirror without the authorization data, so that printing and dumping don't show it.
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
