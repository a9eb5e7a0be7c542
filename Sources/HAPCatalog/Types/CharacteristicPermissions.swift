/// What a controller may do with a characteristic. Source: HAP specification, table 6-4.
public struct CharacteristicPermissions: OptionSet, Hashable, Sendable {
    /// The permissions as bits, in the order in which ``names`` lists them.
    public let rawValue: UInt8

    /// Creates permissions from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Paired read, `pr`.
    public static let read = CharacteristicPermissions(rawValue: 1 << 0)
    /// Paired write, `pw`.
    public static let write = CharacteristicPermissions(rawValue: 1 << 1)
    /// Event notification, `ev`.
    public static let notify = CharacteristicPermissions(rawValue: 1 << 2)
    /// Additional authorization data in writes, `aa`.
    public static let additionalAuthorization = CharacteristicPermissions(rawValue: 1 << 3)
    /// Timed writes only, `tw`.
    public static let timedWrite = CharacteristicPermissions(rawValue: 1 << 4)
    /// Not to be shown to people, `hd`.
    public static let hidden = CharacteristicPermissions(rawValue: 1 << 5)
    /// Write response, `wr`.
    public static let writeResponse = CharacteristicPermissions(rawValue: 1 << 6)

    private static let table: [(name: String, permission: CharacteristicPermissions)] = [
        ("pr", .read), ("pw", .write), ("ev", .notify), ("aa", .additionalAuthorization), ("tw", .timedWrite),
        ("hd", .hidden), ("wr", .writeResponse),
    ]

    /// Reads the names that messages use. Unknown names are passed over.
    public init(names: some Sequence<String>) {
        var permissions: CharacteristicPermissions = []
        for name in names {
            if let row = Self.table.first(where: { $0.name == name }) { permissions.insert(row.permission) }
        }
        self = permissions
    }

    /// The names that messages use: `pr`, `pw`, `ev`, `aa`, `tw`, `hd`, `wr`, in this order.
    public var names: [String] {
        Self.table.lazy.filter { contains($0.permission) }.map(\.name)
    }
}

extension CharacteristicPermissions: CustomStringConvertible {
    /// The names with spaces between them.
    public var description: String {
        names.joined(separator: " ")
    }
}

extension CharacteristicPermissions: Codable {
    /// Reads an array of names.
    public init(from decoder: any Decoder) throws {
        self.init(names: try decoder.singleValueContainer().decode([String].self))
    }

    /// Writes an array of names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}
