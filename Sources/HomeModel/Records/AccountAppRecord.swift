/// An app in a user's own log: whether it may use the user's homes.
package struct AccountAppRecord: Hashable, Sendable, Codable, Identifiable {
    /// The app's identifier, for example `com.example.lights`.
    package var id: String
    /// What the app says it needs the homes for (its `NSHomeKitUsageDescription`).
    package var purpose: String
    /// Whether the user allows it.
    package var isAllowed: Bool

    /// Makes the record of an app.
    package init(id: String, purpose: String, isAllowed: Bool) {
        self.id = id
        self.purpose = purpose
        self.isAllowed = isAllowed
    }
}
