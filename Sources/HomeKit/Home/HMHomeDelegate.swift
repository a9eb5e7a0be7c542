public import Foundation

/// Hears what happens in a home, when another app, device or person made it happen.
///
/// Every method is called on the main queue and may be left out. A change by this app itself is told by its completion
/// alone.
public protocol HMHomeDelegate: NSObjectProtocol {
    /// The home has another name.
    func homeDidUpdateName(_ home: HMHome)
    /// An accessory was added. Of a bridge one hears by what is behind it.
    func home(_ home: HMHome, didAdd accessory: HMAccessory)
    /// An accessory was removed. Its object shows what it last was.
    func home(_ home: HMHome, didRemove accessory: HMAccessory)
    /// An accessory is in another room.
    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory)
    /// A room was added.
    func home(_ home: HMHome, didAdd room: HMRoom)
    /// A room was removed. Its object shows what it last was; its accessories are in the default room.
    func home(_ home: HMHome, didRemove room: HMRoom)
    /// A room has another name.
    func home(_ home: HMHome, didUpdateNameFor room: HMRoom)
    /// A zone was added.
    func home(_ home: HMHome, didAdd zone: HMZone)
    /// A zone was removed. Its object shows what it last was.
    func home(_ home: HMHome, didRemove zone: HMZone)
    /// A zone has another name.
    func home(_ home: HMHome, didUpdateNameFor zone: HMZone)
    /// A room was put into a zone.
    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone)
    /// A room was taken out of a zone.
    func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone)
}

extension HMHomeDelegate {
    /// Does nothing.
    public func homeDidUpdateName(_ home: HMHome) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove accessory: HMAccessory) {}
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
}
