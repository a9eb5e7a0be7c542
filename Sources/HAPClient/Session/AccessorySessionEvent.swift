package import HAP
package import HAPCatalog

/// What an accessory session tells.
package enum AccessorySessionEvent: Sendable {
    /// The accessory server is connected and verified, the remembered subscriptions stand, and this is its attribute
    /// database with the values of this moment. Comes again after every reconnect, and when the database was read anew
    /// because its configuration number had changed.
    case ready([AccessoryAttributes])
    /// Characteristics changed, each with its new value in the form of its format; `nil` for a value that the accessory
    /// can't read at present.
    case values([(CharacteristicID, CharacteristicValue?)])
    /// The accessory server can't be used until the next ``ready(_:)``. Comes again only for another cause.
    case unreachable(UnreachableCause)
}
