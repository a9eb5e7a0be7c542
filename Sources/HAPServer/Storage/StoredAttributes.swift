#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HAP
internal import HAPCatalog

/// The assigned IDs, and the configuration number with the digest of its structure.
struct StoredAttributes: StoredContent {
    static let document = StorageDocument.attributes

    /// Creates the content of a new document.
    init() {}

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

    init(decoding bytes: [UInt8]) throws {
        // A bridge's document is large, and `JSONDecoder` needs a multiple of the time. What is unusual is left to it, and
        // so is the error about what is damaged.
        guard let usual = (try? JSONValue(parsing: bytes)).flatMap(Self.init(usual:)) else {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
            return
        }
        self = usual
    }

    /// Decodes a document that this version has written. Returns `nil` if it may be another one.
    init?(usual value: JSONValue) {
        guard let object = value.object,
            let format = object[CodingKeys.format.stringValue]?.integer.flatMap({ StorageFormat(rawValue: Int($0)) }),
            let number = object[CodingKeys.configurationNumber.stringValue]?.integer,
            let identifiers = object[CodingKeys.identifiers.stringValue].flatMap(IdentifierTable.init(usual:))
        else { return nil }
        if let value = object[CodingKeys.structure.stringValue] {
            guard let structure = value.string.flatMap(StructureDigest.init(text:)) else { return nil }
            self.structure = structure
        }
        self.format = format
        configurationNumber = Int(number)
        self.identifiers = identifiers
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
