/// The category of an accessory, as in its advertisement (TXT key `ci`) and its setup payload. Unknown numbers are
/// preserved. Source: HAP specification, table 13-1.
public struct AccessoryCategory: RawRepresentable, Hashable, Codable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Creates a category from its number on the wire.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a category from its name, with or without spaces and in any case (`Garage Door Opener`,
    /// `garagedooropener`). Returns `nil` for an unknown name.
    public init?(named name: String) {
        guard let folded = CatalogName.fold(name),
            let row = Self.table.first(where: { CatalogName.fold($0.name) == folded })
        else { return nil }
        self = row.category
    }

    /// The name (`Garage Door Opener`), or `nil` for an unknown category.
    public var name: String? {
        Self.table.first { $0.category == self }?.name
    }

    /// All known categories, by number.
    public static var all: [AccessoryCategory] {
        table.map(\.category)
    }
}

extension AccessoryCategory: CustomStringConvertible {
    /// The name, or the number of an unknown category.
    public var description: String {
        name ?? String(rawValue)
    }
}
