package import HomeModel

/// Names a secret. Secrets are in no log, event or export.
package struct SecretKey: Hashable, Sendable {
    /// What a secret is for. Kept open.
    package struct Kind: Hashable, Sendable, RawRepresentable {
        /// The kind's name in the database.
        package var rawValue: String

        /// Creates a kind from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The key of the hub from which the IDs follow under which people appear to apps.
        package static let aliases = Kind(rawValue: "aliases")
        /// The long-term key pair with which a home shows itself to its accessories.
        package static let controllerIdentity = Kind(rawValue: "controllerIdentity")
        /// What an accessory server and the home know each other by. The name is the server's device id.
        package static let pairing = Kind(rawValue: "pairing")
        /// A pairing that was begun and is not known to have been completed by the accessory.
        package static let pendingPairing = Kind(rawValue: "pendingPairing")
        /// A pairing that is in no home any more and that the accessory may still hold. The name is the server's device id.
        /// When a log is removed, its pairings become these.
        package static let owedRemoval = Kind(rawValue: "owedRemoval")
    }

    /// What it is for.
    package var kind: Kind
    /// The log that it belongs to, with which it is removed, and which exists; nil for the hub's own.
    package var log: LogID?
    /// Its name among those of the kind and log.
    package var name: String

    /// Names a secret.
    package init(kind: Kind, log: LogID?, name: String = "") {
        self.kind = kind
        self.log = log
        self.name = name
    }
}
