internal import HAP

/// The state that a server loads from its storage at the start, or creates on the first start.
struct StoredState: ~Copyable, Sendable {
    var credentials: StoredCredentials
    var pairings: StoredPairings
    var database: HostedDatabase
    var attributes: StoredAttributes

    /// Loads the state and stores changes.
    ///
    /// - Parameter accessories: The validated accessories, the primary one first.
    init(
        _ configuration: AccessoryServerConfiguration,
        accessories: [HostedAccessory],
        storage: some AccessoryStorage
    ) throws(AccessoryServerError) {
        let storedCredentials = try storage.load(StoredCredentials.self)
        let storedPairings = try storage.load(StoredPairings.self)
        let storedAttributes = try storage.load(StoredAttributes.self)
        // On the first start, the credentials are written last. If they exist, the other documents must exist.
        if storedCredentials != nil {
            guard storedPairings != nil else { throw .missing(.pairings, in: storage) }
            guard storedAttributes != nil else { throw .missing(.attributes, in: storage) }
        } else if storedPairings?.pairings.isEmpty == false {
            throw .missing(.credentials, in: storage)
        }

        let isNew = storedCredentials == nil || configuration.isFactoryReset
        var attributes = isNew ? StoredAttributes() : storedAttributes ?? StoredAttributes()
        if let fault = configuration.structureFault { try attributes.apply(fault) }
        let database = try attributes.host(accessories)
        let pairings = isNew ? StoredPairings() : storedPairings ?? StoredPairings()
        let credentials = try StoredCredentials(configuration, previous: storedCredentials, storage: storage)

        // This order is safe to repeat after a crash, and no controller stays paired with discarded keys.
        if isNew { try storage.save(pairings) }
        if attributes != storedAttributes { try storage.save(attributes) }
        if credentials != storedCredentials { try storage.save(credentials) }
        self.credentials = credentials
        self.pairings = pairings
        self.database = database
        self.attributes = attributes
    }
}

extension StoredCredentials {
    /// Creates the credentials from the configuration or the stored ones, and generates missing parts.
    fileprivate init(
        _ configuration: AccessoryServerConfiguration,
        previous: StoredCredentials?,
        storage: some AccessoryStorage
    ) throws(AccessoryServerError) {
        let existing = configuration.isFactoryReset ? nil : previous?.identity
        if let deviceID = configuration.deviceID, let existing, deviceID != existing.deviceID {
            throw AccessoryServerError(
                .invalidConfiguration,
                reason: "\(storage.location(of: .credentials)) belongs to the accessory \(existing.deviceID), not to "
                    + "\(deviceID); use another folder"
            )
        }
        self.init(
            identity: existing
                ?? AccessoryIdentity(deviceID: configuration.deviceID ?? .random(), keyPair: .random()),
            setupCode: configuration.setupCode ?? previous?.setupCode ?? .random(),
            setupID: configuration.setupID ?? previous?.setupID ?? .random()
        )
    }
}

extension AccessoryServerError {
    fileprivate static func missing(_ document: StorageDocument, in storage: some AccessoryStorage) -> Self {
        AccessoryServerError(
            .storageUnreadable,
            reason:
                "\(storage.location(of: document)) is missing, although the other documents exist. "
                + StoredDocuments.remedy
        )
    }
}
