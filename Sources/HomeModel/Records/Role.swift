/// A user's role in a home. Unknown values are preserved.
package struct Role: Hashable, Sendable, Codable, RawRepresentable {
    /// The role's name in logs and messages.
    package var rawValue: String

    /// Creates a role from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Created the home and may do everything.
    package static let owner = Role(rawValue: "owner")
    /// May change the layout and manage users.
    package static let administrator = Role(rawValue: "administrator")
    /// May identify, read, write, observe and run scenes.
    package static let guest = Role(rawValue: "guest")

    /// Whether the role may change the home's layout.
    package var canEditLayout: Bool { self == .owner || self == .administrator }
}
