/// What a person may do in a home, from most to least. Kept open so that a role of a newer version survives.
public struct Role: Hashable, Sendable, Codable, RawRepresentable {
    /// The role's name in logs and messages.
    public var rawValue: String

    /// Wraps a role's name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Created the home: may do everything.
    public static let owner = Role(rawValue: "owner")
    /// May change the layout and manage people.
    public static let administrator = Role(rawValue: "administrator")
    /// May identify, read, write, observe and run scenes.
    public static let guest = Role(rawValue: "guest")

    /// Whether the role may change the home's layout.
    public var mayEditLayout: Bool { self == .owner || self == .administrator }
}
