internal import HAPCatalog

/// The IDs that were given, and the configuration number with the structure that it stands for.
struct StoredAttributes: StoredContent {
    static let document = StorageDocument.attributes

    private(set) var format = StorageFormat.first
    private(set) var configurationNumber = 1
    private(set) var structure: StructureDigest?
    var identifiers = IdentifierTable()

    /// The database of checked accessories, the primary one first, that are served from now on. Allots the IDs of what
    /// is new; if the structure is another than before the configuration number rises.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if an accessory states IDs that contradict
    ///   those that were given.
    mutating func host(_ accessories: [HostedAccessory]) throws(AccessoryServerError) -> HostedDatabase {
        for (index, accessory) in accessories.enumerated() {
            try identifiers.adoptPreassigned(of: accessory, isPrimary: index == 0)
        }
        let database = HostedDatabase(accessories, identifiers: &identifiers)
        adopt(database.structure)
        return database
    }

    /// Takes note of the structure that is served now; if it is another than before the configuration number rises.
    mutating func adopt(_ structure: StructureDigest) {
        if let previous = self.structure, previous != structure { raiseConfigurationNumber() }
        self.structure = structure
    }

    /// Gets something wrong.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if no IDs are left.
    mutating func apply(_ fault: StructureFault) throws(AccessoryServerError) {
        switch fault {
        case .configurationNumber: raiseConfigurationNumber()
        case .identifiers: try identifiers.renumber()
        }
    }

    private mutating func raiseConfigurationNumber() {
        configurationNumber = configurationNumber < HAPLimits.configurationNumber ? configurationNumber + 1 : 1
    }
}

extension StoredAttributes: Equatable {}
