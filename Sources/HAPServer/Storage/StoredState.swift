internal import HAP

/// Everything that a server finds in its storage at the start, made on the first one.
struct StoredState: Sendable {
    var credentials: StoredCredentials
    var pairings: StoredPairings
    var database: HostedDatabase
    var configurationNumber: Int

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

        var attributes = storedAttributes ?? StoredAttributes()
        database = HostedDatabase(accessories, identifiers: &attributes.identifiers)
        attributes.adopt(database.structure)
        configurationNumber = attributes.configurationNumber
        pairings = storedPairings ?? StoredPairings()

        if var credentials = storedCredentials {
            // The credentials are written last on the first start: with them everything else has to be there.
            guard storedPairings != nil else { throw .missing(.pairings, in: storage) }
            guard storedAttributes != nil else { throw .missing(.attributes, in: storage) }
            if let deviceID = configuration.deviceID, deviceID != credentials.identity.deviceID {
                throw AccessoryServerError(
                    .invalidConfiguration,
                    reason: "\(storage.location(of: .credentials)) belongs to the accessory "
                        + "\(credentials.identity.deviceID), not to \(deviceID); use another folder"
                )
            }
            let isUnchanged =
                credentials.setupCode == configuration.setupCode ?? credentials.setupCode
                && credentials.setupID == configuration.setupID ?? credentials.setupID
            credentials.setupCode = configuration.setupCode ?? credentials.setupCode
            credentials.setupID = configuration.setupID ?? credentials.setupID
            self.credentials = credentials
            if attributes != storedAttributes { try storage.save(attributes) }
            if !isUnchanged { try storage.save(credentials) }
        } else {
            guard pairings.pairings.isEmpty else { throw .missing(.credentials, in: storage) }
            credentials = StoredCredentials(
                identity: AccessoryIdentity(deviceID: configuration.deviceID ?? .random(), keyPair: .random()),
                setupCode: configuration.setupCode ?? .random(),
                setupID: configuration.setupID ?? .random()
            )
            try storage.save(attributes)
            try storage.save(pairings)
            try storage.save(credentials)
        }
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
