/// The operations that controllers may perform on a characteristic. Source: HAP specification, table 6-4.
public struct CharacteristicPermissions: OptionSet, Hashable, Sendable {
    /// The permissions as bits, in the order of ``names``.
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
    /// Timed writes required, `tw`.
    public static let timedWrite = CharacteristicPermissions(rawValue: 1 << 4)
    /// Hidden from users, `hd`.
    public static let hidden = CharacteristicPermissions(rawValue: 1 << 5)
    /// Write response, `wr`.
    public static let writeResponse = CharacteristicPermissions(rawValue: 1 << 6)

    private static let table: [(name: String, permission: CharacteristicPermissions)] = [
        ("pr", .read), ("pw", .write), ("ev", .notify), ("aa", .additionalAuthorization), ("tw", .timedWrite),
        ("hd", .hidden), ("wr", .writeResponse),
    ]

    /// Creates permissions from their names in messages. Unknown names are ignored.
    public init(names: some Sequence<String>) {
        var permissions: CharacteristicPermissions = []
        for name in names {
            if let row = Self.table.first(where: { $0.name == name }) { permissions.insert(row.permission) }
        }
        self = permissions
    }

    /// The names in messages: `pr`, `pw`, `ev`, `aa`, `tw`, `hd`, `wr`, in this order.
    public var names: [String] {
        Self.table.lazy.filter { contains($0.permission) }.map(\.name)
    }
}

extension CharacteristicPermissions: CustomStringConvertible {
    /// The names, separated by spaces.
    public var description: String {
        names.joined(separator: " ")
    }
}

extension CharacteristicPermissions: Codable {
    /// Decodes an array of names.
    public init(from decoder: any Decoder) throws {
        self.init(names: try decoder.singleValueContainer().decode([String].self))
    }

    /// Encodes an array of names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}
