/// What a hub knows of the key that a connection has shown.
package enum KeyStanding: Hashable, Sendable {
    /// It is the key of one of the hub's devices.
    case device
    /// The hub doesn't know it, and an invitation is open, so it may try to join.
    case joining
    /// It is the key of the other hub of the homes.
    case hub
    /// It was the key of a device that was removed, which is told so.
    case removed
    /// The hub doesn't know it.
    case unknown
}
