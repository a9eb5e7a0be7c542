internal import HAP

/// Everything that a server finds in its storage at the start, made on the first one.
struct StoredState: Sendable {
    var credentials: StoredCredentials
    var pairings: StoredPairings
    var database: HostedDatabase
    var attributes: StoredAttributes

    /// Loads the state and stores what has become different.
    ///
    /// - Parameter accessories: The checked accessories that are served from now on, the primary one first.
    init(
        _ configuration: AccessoryServerConfiguration,
        accessories: [HostedAccessory],
        storage: some AccessoryStorage
    ) throws(AccessoryServerError) {
        let storedCredentials = try storage.load(StoredCredentials.self)
        let storedPairings = try storage.load(StoredPairings.self)
        let storedAttributes = try storage.load(StoredAttributes.self)
        // The credentials are written last on the first start: with them everything else has to be there.
        if storedCredentials != nil {
            guard storedPairings != nil else { throw .missing(.pairings, in: storage) }
            guard storedAttributes != nil else { throw .missing(.attributes, in: storage) }
        } else if storedPairings?.pairings.isEmpty == false {
            throw .missing(.credentials, in: storage)
        }

        let isAnew = storedCredentials == nil || configuration.isFactoryReset
        var attributes = isAnew ? StoredAttributes() : storedAttributes ?? StoredAttributes()
        if let fault = configuration.structureFault { try attributes.apply(fault) }
        database = try attributes.host(accessories)
        self.attributes = attributes
        pairings = isAnew ? StoredPairings() : storedPairings ?? StoredPairings()
        credentials = try StoredCredentials(configuration, previous: storedCredentials, storage: storage)

        // Whatever a crash leaves of this order can be begun again, and nobody is paired with keys that are gone.
        if isAnew { try storage.save(pairings) }
        if attributes != storedAttributes { try storage.save(attributes) }
        if credentials != storedCredentials { try storage.save(credentials) }
    }
}

extension StoredCredentials {
    /// The credentials from now on: what the configuration names, what was stored, and what is missing drawn.
    fileprivate init(
        _ configuration: AccessoryServerConfiguration,
        previous: StoredCredentials?,
        storage: some AccessoryStorage
    ) throws(AccessoryServerError) {
        let kept = configuration.isFactoryReset ? nil : previous?.identity
        if let deviceID = configuration.deviceID, let kept, deviceID != kept.deviceID {
            throw AccessoryServerError(
                .invalidConfiguration,
                reason: "\(storage.location(of: .credentials)) belongs to the accessory \(kept.deviceID), not to "
                    + "\(deviceID); use another folder"
            )
        }
        self.init(
            identity: kept
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
                "\(storage.location(of: document)) is missing although its neighbours are there. "
                + StoredDocuments.remedy
        )
    }
}
