/// What an accessory mainly is, as it announces it (TXT key `ci`) and as setup codes carry it. Numbers that are not
/// listed are kept. Source: HAP specification, table 13-1.
public struct AccessoryCategory: RawRepresentable, Hashable, Codable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Creates a category from its number on the wire.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Finds a category by its name, with or without spaces, in any case (`Garage Door Opener`, `garagedooropener`).
    public init?(named name: String) {
        guard let folded = CatalogName.fold(name),
            let row = Self.table.first(where: { CatalogName.fold($0.name) == folded })
        else { return nil }
        self = row.category
    }

    /// The name of a listed category (`Garage Door Opener`), else `nil`.
    public var name: String? {
        Self.table.first { $0.category == self }?.name
    }

    /// Every listed category, by number.
    public static var all: [AccessoryCategory] {
        table.map(\.category)
    }
}

extension AccessoryCategory: CustomStringConvertible {
    /// The name of a listed category, else its number.
    public var description: String {
        name ?? String(rawValue)
    }
}
