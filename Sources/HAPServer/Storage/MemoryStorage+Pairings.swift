package import HAP

extension MemoryStorage {
    /// Creates the storage of an accessory that was paired before, as it would be found after a restart.
    ///
    /// - Parameters:
    ///   - identity: Who the accessory is.
    ///   - pairings: The controllers that it knows, an admin among them unless there are none.
    package convenience init(
        identity: AccessoryIdentity,
        setupCode: SetupCode,
        setupID: SetupID,
        pairings: [Pairing]
    ) throws(AccessoryServerError) {
        self.init()
        var stored = StoredPairings()
        stored.pairings = pairings
        try save(stored)
        try save(StoredAttributes())
        try save(StoredCredentials(identity: identity, setupCode: setupCode, setupID: setupID))
    }
}
