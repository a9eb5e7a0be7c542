internal import HAP
internal import HAPCatalog

/// The assigned IDs, and the configuration number with the digest of its structure.
struct StoredAttributes: StoredContent {
    static let document = StorageDocument.attributes

    private(set) var format = StorageFormat.first
    private(set) var configurationNumber = 1
    private(set) var structure: StructureDigest?
    var identifiers = IdentifierTable()

    /// Returns the database of validated accessories, the primary one first. Assigns missing IDs, and increases the
    /// configuration number if the structure changed.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if preassigned IDs contradict assigned
    ///   ones.
    mutating func host(_ accessories: [HostedAccessory]) throws(AccessoryServerError) -> HostedDatabase {
        for (index, accessory) in accessories.enumerated() {
            try identifiers.adoptPreassigned(of: accessory, isPrimary: index == 0)
        }
        let database = HostedDatabase(accessories, identifiers: &identifiers)
        adopt(database.structure)
        return database
    }

    /// Records the current structure, and increases the configuration number if it changed.
    mutating func adopt(_ structure: StructureDigest) {
        if let previous = self.structure, previous != structure { increaseConfigurationNumber() }
        self.structure = structure
    }

    /// Applies an injected structure fault.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if no IDs are left.
    mutating func apply(_ fault: StructureFault) throws(AccessoryServerError) {
        switch fault {
        case .configurationNumber: increaseConfigurationNumber()
        case .identifiers: try identifiers.renumber()
        }
    }

    func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(CodingKeys.format.stringValue, format.rawValue)
            writer.member(CodingKeys.configurationNumber.stringValue, configurationNumber)
            if let structure { writer.member(CodingKeys.structure.stringValue, structure.text) }
            writer.key(CodingKeys.identifiers.stringValue)
            identifiers.write(to: &writer)
        }
        return writer.bytes
    }

    private mutating func increaseConfigurationNumber() {
        configurationNumber = configurationNumber < HAPLimits.configurationNumber ? configurationNumber + 1 : 1
    }
}

extension StoredAttributes: Equatable {}
