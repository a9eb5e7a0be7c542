/// The apps of a user.
public struct Apps: Hashable, Sendable, Codable {
    /// An app.
    public struct App: Hashable, Sendable, Codable, Identifiable {
        /// The app's identifier, for example `com.example.lights`.
        public var id: String
        /// Why it wants to use the homes, in its own words.
        public var purpose: String
        /// Whether the user allowed or denied it; nil if that was not decided.
        public var isAllowed: Bool?
        /// Whether it is connected now.
        public var isConnected: Bool
        /// The sockets at which it is served, and nobody else; nil for none.
        public var sockets: [AppSocket]?

        /// Makes an app.
        public init(
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
    public var apps: [App]

    /// Makes the result.
    public init(apps: [App]) {
        self.apps = apps
    }
}

/// Names an app.
public struct AppTarget: Hashable, Sendable, Codable {
    /// The app's identifier.
    public var id: String

    /// Makes the parameters.
    public init(id: String) {
        self.id = id
    }
}
