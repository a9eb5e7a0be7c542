/// The decision about an app in a user's own log.
package struct AccountAppRecord: Hashable, Sendable, Codable, Identifiable {
    /// The app's identifier, for example `com.example.lights`.
    package var id: String
    /// The app's purpose for using the homes (its `NSHomeKitUsageDescription`).
    package var purpose: String
    /// Whether the user allows the app.
    package var isAllowed: Bool

    /// Creates the record of an app.
    package init(id: String, purpose: String, isAllowed: Bool) {
        self.id = id
        self.purpose = purpose
        self.isAllowed = isAllowed
    }
}
