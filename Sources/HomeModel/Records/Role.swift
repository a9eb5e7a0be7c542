/// What a person may do in a home, from most to least. Kept open so that a role of a newer version survives.
package struct Role: Hashable, Sendable, Codable, RawRepresentable {
    /// The role's name in logs and messages.
    package var rawValue: String

    /// Wraps a role's name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Created the home: may do everything.
    package static let owner = Role(rawValue: "owner")
    /// May change the layout and manage people.
    package static let administrator = Role(rawValue: "administrator")
    /// May identify, read, write, observe and run scenes.
    package static let guest = Role(rawValue: "guest")

    /// Whether the role may change the home's layout.
    package var mayEditLayout: Bool { self == .owner || self == .administrator }
}
