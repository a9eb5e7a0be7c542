package import HAP

extension MemoryStorage {
    /// Creates the storage of an accessory that is already paired, as after a restart.
    ///
    /// - Parameters:
    ///   - identity: The accessory's identity.
    ///   - pairings: The paired controllers, which must include an admin unless there are none.
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
