package import Foundation

/// A request to change a user's own log. ``Account/decide(_:)`` holds the rules.
package enum AccountRequest: Hashable, Sendable {
    /// Adds a home. The first one becomes the primary home.
    case addHome(id: UUID, name: String)
    /// Removes a home. If it was the primary home, the next one becomes primary.
    case removeHome(UUID)
    /// Renames a home in the user's list.
    case renameHome(UUID, name: String)
    /// Sets the home that is used by default.
    case setPrimaryHome(UUID)
    /// Allows or denies an app the use of the user's homes.
    case decideApp(String, purpose: String, isAllowed: Bool)
    /// Forgets the decision about an app.
    case forgetApp(String)
    /// Adds favorites in a home before another one, or at the end. The home decides whether it has them.
    case addFavorites([Favorite], in: UUID, before: Favorite?)
    /// Moves a favorite before another one, or to the end.
    case moveFavorite(Favorite, in: UUID, before: Favorite?)
    /// Removes a favorite.
    case removeFavorite(Favorite, in: UUID)
    /// Adds a device, unless there are as many of its kind as the limit.
    case addDevice(AccountDeviceRecord, limit: Int)
    /// Renames a device.
    case renameDevice(UUID, name: String)
    /// Removes devices.
    case removeDevices([UUID], at: Date)
    /// Sets the public keys with which a device reads its user's feed.
    case setDeviceKeys(UUID, box: [UInt8], relayKey: [UInt8])
    /// Readmits suspended devices.
    case confirmDevices([UUID])
}
