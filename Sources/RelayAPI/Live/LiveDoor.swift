package import HomeIdentity

/// A door of a house: a key that may open pipes to the hub, although it reads no feed. It exists as long as the hub's stream on
/// which the relay was told of it.
package struct LiveDoor: Hashable, Sendable {
    /// The key.
    package var key: PublicKey
    /// How long the door is still open, in seconds.
    package var seconds: Int

    /// Creates a door.
    package init(_ key: PublicKey, seconds: Int) {
        self.key = key
        self.seconds = seconds
    }
}
