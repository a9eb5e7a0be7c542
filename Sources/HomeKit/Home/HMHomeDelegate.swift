public import Foundation

/// Hears what happens in a home, when another app, device or person made it happen.
///
/// Every method is called on the main queue and may be left out. A change by this app itself is told by its completion
/// alone.
///
/// Since Linux has no optional requirements, each method has an empty default here. It is called instead of a method that
/// only a subclass of the conforming class has.
/// - Since: iOS 8.0
public protocol HMHomeDelegate: NSObjectProtocol {
    /// The home has another name.
    /// - Since: iOS 8.0
    func homeDidUpdateName(_ home: HMHome)
    /// An accessory was added. Of a bridge one hears by what is behind it.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd accessory: HMAccessory)
    /// An accessory was removed. Its object shows what it last was.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove accessory: HMAccessory)
    /// An accessory that was blocked is not any more. Of a bridge and of what is behind it one hears each.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUnblockAccessory accessory: HMAccessory)
    /// An accessory came into a trouble that does not pass by itself. It is told once, however often the hub tries again,
    /// and anew when the accessory could be reached meanwhile or the trouble is another. A trouble of before the app was
    /// there is not told.
    ///
    /// Of what is behind a bridge one hears by the bridge. `error` is an ``HMError``: ``HMError/Code/accessoryIsBlocked``,
    /// or ``HMError/Code/securityFailure`` when the accessory does not know its pairing any more or is another than the one
    /// that was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory)
    /// An accessory is in another room.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory)
    /// A room was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd room: HMRoom)
    /// A room was removed. Its object shows what it last was; its accessories are in the default room.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove room: HMRoom)
    /// A room has another name.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor room: HMRoom)
    /// A zone was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd zone: HMZone)
    /// A zone was removed. Its object shows what it last was.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove zone: HMZone)
    /// A zone has another name.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor zone: HMZone)
    /// A room was put into a zone.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone)
    /// A room was taken out of a zone.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone)
    /// A service group was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd group: HMServiceGroup)
    /// A service group was removed. Its object shows what it last was.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove group: HMServiceGroup)
    /// A service group has another name.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup)
    /// A service was put into a service group.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup)
    /// A service was taken out of a service group. Of those of a removed accessory one hears by the accessory's removal.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup)
    /// Somebody was given a part in the home.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd user: HMUser)
    /// Somebody has a part in the home no longer. Their object shows what they last were. Who lost it hears that the home
    /// is gone: ``HMHomeManagerDelegate/homeManager(_:didRemove:)``.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove user: HMUser)
    /// The person whose app this is may do more in the home than before, or less; see ``HMHome/homeAccessControl(for:)``.
    /// - Since: iOS 11.0
    func homeDidUpdateAccessControl(forCurrentUser home: HMHome)
    /// The hub that keeps the home answers again, or does not answer any more.
    /// - Since: iOS 11.0
    func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState)
}

extension HMHomeDelegate {
    /// Does nothing.
    public func homeDidUpdateName(_ home: HMHome) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUnblockAccessory accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd room: HMRoom) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove room: HMRoom) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor room: HMRoom) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd user: HMUser) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove user: HMUser) {}
    /// Does nothing.
    public func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState) {}
}
