package import HAP
package import HAPCatalog

/// An event of an accessory session.
package enum AccessorySessionEvent: Sendable {
    /// The accessory server is connected and verified, subscriptions are restored, and this is its attribute database
    /// with current values. Sent again after each reconnect, and when the database was read again because the
    /// configuration number changed.
    case ready([AccessoryAttributes])
    /// Characteristics changed. Each has its new value, converted to its format, or `nil` if the accessory currently
    /// can't read it.
    case values([(CharacteristicID, CharacteristicValue?)])
    /// The accessory server is unreachable until the next ``ready(_:)``. Sent again only if the cause changes.
    case unreachable(UnreachableCause)
}
