internal import HAPCatalog

/// The ids that were given, and the configuration number with the structure that it stands for.
struct StoredAttributes: StoredContent {
    static let document = StorageDocument.attributes

    private(set) var format = StorageFormat.first
    private(set) var configurationNumber = 1
    private(set) var structure: StructureDigest?
    var identifiers = IdentifierTable()

    /// Takes note of the structure that is served now; if it is another than before the configuration number rises.
    mutating func adopt(_ structure: StructureDigest) {
        if let former = self.structure, former != structure {
            configurationNumber = configurationNumber < HAPLimits.configurationNumber ? configurationNumber + 1 : 1
        }
        self.structure = structure
    }
}

extension StoredAttributes: Equatable {}
