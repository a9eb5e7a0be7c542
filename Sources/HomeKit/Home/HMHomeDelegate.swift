public import Foundation

/// A delegate that receives changes to a home, made by another app, another user or the hub.
///
/// Methods are called on the main queue and are optional. A change that this app makes is reported only to its
/// completion handler.
///
/// Swift on Linux has no optional requirements, so each method has an empty default implementation. If only a subclass
/// of the conforming class implements a method, the default is called instead.
/// - Since: iOS 8.0
public protocol HMHomeDelegate: NSObjectProtocol {
    /// The home's name changed.
    /// - Since: iOS 8.0
    func homeDidUpdateName(_ home: HMHome)
    /// An accessory was added. For a bridge, this is called for its bridged accessories only.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd accessory: HMAccessory)
    /// An accessory was removed. Its object keeps its last state.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove accessory: HMAccessory)
    /// An accessory was unblocked. For a bridge, this is called for the bridge and for each bridged accessory.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUnblockAccessory accessory: HMAccessory)
    /// An accessory has a lasting problem.
    ///
    /// The problem is reported once, no matter how often the hub retries. It is reported again if the accessory was
    /// reachable in between, or if the problem changes. Problems from before the app connected aren't reported.
    ///
    /// For a bridged accessory, its bridge is reported. `error` is an ``HMError``: ``HMError/Code/accessoryIsBlocked``,
    /// or ``HMError/Code/securityFailure`` if the accessory no longer knows its pairing or isn't the accessory that was
    /// added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory)
    /// An accessory moved to another room.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory)
    /// A room was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd room: HMRoom)
    /// A room was removed. Its object keeps its last state; its accessories moved to the default room.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove room: HMRoom)
    /// A room's name changed.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor room: HMRoom)
    /// A zone was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd zone: HMZone)
    /// A zone was removed. Its object keeps its last state.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove zone: HMZone)
    /// A zone's name changed.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor zone: HMZone)
    /// A room was added to a zone.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone)
    /// A room was removed from a zone.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone)
    /// A service group was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd group: HMServiceGroup)
    /// A service group was removed. Its object keeps its last state.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove group: HMServiceGroup)
    /// A service group's name changed.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup)
    /// A service was added to a service group.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup)
    /// A service was removed from a service group. Not called for the services of a removed accessory; its removal is
    /// reported instead.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup)
    /// An action set was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd actionSet: HMActionSet)
    /// An action set was removed. Its object keeps its last state.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove actionSet: HMActionSet)
    /// An action set's name changed.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet)
    /// An action was added to an action set, removed from it or given another value, also because its accessory was
    /// removed.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet)
    /// A trigger was added.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd trigger: HMTrigger)
    /// A trigger was removed. Its object keeps its last state.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove trigger: HMTrigger)
    /// A trigger's name changed.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger)
    /// A trigger was enabled, disabled or changed, runs other action sets, or fired. It may have changed because something
    /// that it depends on was removed.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didUpdate trigger: HMTrigger)
    /// A user was added to the home.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didAdd user: HMUser)
    /// A user was removed from the home. The user's object keeps its last state. The removed user's own apps receive
    /// ``HMHomeManagerDelegate/homeManager(_:didRemove:)``.
    /// - Since: iOS 8.0
    func home(_ home: HMHome, didRemove user: HMUser)
    /// The current user's permissions in the home changed; see ``HMHome/homeAccessControl(for:)``.
    /// - Since: iOS 11.0
    func homeDidUpdateAccessControl(forCurrentUser home: HMHome)
    /// The hub that stores the home connected or disconnected.
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
    public func home(_ home: HMHome, didAdd actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdate trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd user: HMUser) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove user: HMUser) {}
    /// Does nothing.
    public func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState) {}
}
