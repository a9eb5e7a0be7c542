/// The apps of a user.
package struct Apps: Hashable, Sendable, Codable {
    /// An app.
    package struct App: Hashable, Sendable, Codable, Identifiable {
        /// The app's identifier, for example `com.example.lights`.
        package var id: String
        /// Why the app needs access to the homes, as the app states it.
        package var purpose: String
        /// Whether the user allowed or denied the app; `nil` if the user hasn't decided.
        package var isAllowed: Bool?
        /// Whether the app is connected now.
        package var isConnected: Bool
        /// The sockets that serve only this app; `nil` if there are none.
        package var sockets: [AppSocket]?

        /// Creates an app.
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

    /// The apps, those that the user has decided about first.
    package var apps: [App]

    package init(apps: [App]) {
        self.apps = apps
    }
}

/// Identifies an app.
package struct AppTarget: Hashable, Sendable, Codable {
    /// The app's identifier.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}
