/// The apps of a user.
package struct Apps: Hashable, Sendable, Codable {
    /// An app.
    package struct App: Hashable, Sendable, Codable, Identifiable {
        /// The app's identifier, for example `com.example.lights`.
        package var id: String
        /// Why it wants to use the homes, in its own words.
        package var purpose: String
        /// Whether the user allowed or denied it; nil if that was not decided.
        package var isAllowed: Bool?
        /// Whether it is connected now.
        package var isConnected: Bool
        /// The sockets at which it is served, and nobody else; nil for none.
        package var sockets: [AppSocket]?

        /// Makes an app.
        package init(
            id: String,
            purpose: String,
            isAllowed: Bool?,
            isConnected: Bool,
            sockets: [AppSocket]? = nil
        ) {
            self.id = id
            self.purpose = purpose
            self.isAllowed = isAllowed
            self.isConnected = isConnected
            self.sockets = sockets
        }
    }

    /// The apps, those that were decided first.
    package var apps: [App]

    /// Makes the result.
    package init(apps: [App]) {
        self.apps = apps
    }
}

/// Names an app.
package struct AppTarget: Hashable, Sendable, Codable {
    /// The app's identifier.
    package var id: String

    /// Makes the parameters.
    package init(id: String) {
        self.id = id
    }
}
