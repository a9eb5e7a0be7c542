package import HomeModel

/// The key of a secret. Secrets are never part of a log, an event or an export.
package struct SecretKey: Hashable, Sendable {
    /// The purpose of a secret. Unknown values are preserved.
    package struct Kind: Hashable, Sendable, RawRepresentable {
        /// The kind's name in the database.
        package var rawValue: String

        /// Creates a kind from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A device that stays signed in over HTTP. The name is the device's ID.
        package static let device = Kind(rawValue: "device")
        /// A certificate with its private key, for HTTPS. The name is what it is for.
        package static let certificate = Kind(rawValue: "certificate")
        /// An open invitation to sign in or to join. The name is the invitation's ID.
        package static let invitation = Kind(rawValue: "invitation")
        /// The hub's own identity, by which devices know it.
        package static let hubKey = Kind(rawValue: "hubKey")
        /// The hub's own box, in which another hub of the homes sends it secrets.
        package static let hubBox = Kind(rawValue: "hubBox")
        /// The state and the keys of a person's feed at a relay. The log is the person's.
        package static let feedKey = Kind(rawValue: "feedKey")
        /// The hub's relay and the feeds there.
        package static let relay = Kind(rawValue: "relay")
        /// The hub's key from which the user IDs for apps are derived.
        package static let aliases = Kind(rawValue: "aliases")
        /// The long-term key pair that identifies a home to its accessories.
        package static let controllerIdentity = Kind(rawValue: "controllerIdentity")
        /// The pairing of a home with an accessory server. The name is the server's device ID.
        package static let pairing = Kind(rawValue: "pairing")
        /// A pairing that was started and that the accessory may not have completed.
        package static let pendingPairing = Kind(rawValue: "pendingPairing")
        /// A pairing that isn't in any home and that the accessory may still have. The name is the server's device ID.
        /// When a log is removed, its pairings get this kind.
        package static let scheduledRemoval = Kind(rawValue: "owedRemoval")
        /// A part of a change of two hubs that is too large for a batch, until the last one comes. The name is in their order.
        static let changePart = Kind(rawValue: "changePart")

        /// The relay that votes beside two hubs.
        package static let votingRelay = Kind(rawValue: "votingRelay")

        /// The kinds that both of two hubs have. All others are one hub's own.
        package static let shared: [Kind] = [.device, .invitation, .aliases, .changePart, .relay, .votingRelay]
        /// Whether both of two hubs have secrets of this kind.
        package var isShared: Bool { Self.shared.contains(self) }
    }

    /// The purpose of the secret.
    package var kind: Kind
    /// The log that the secret belongs to. It must exist, and the secret is removed with it; `nil` for the hub's own
    /// secrets.
    package var log: LogID?
    /// The name among secrets of the same kind and log.
    package var name: String

    /// Creates a key.
    package init(kind: Kind, log: LogID?, name: String = "") {
        self.kind = kind
        self.log = log
        self.name = name
    }
}
