public import Foundation

/// A delegate that receives an accessory's changes, made by another app, another user, the hub or the accessory itself.
///
/// Methods are called on the main queue and are optional. A change that this app makes is reported only to its
/// completion handler.
///
/// Swift on Linux has no optional requirements, so each method has an empty default implementation. If only a subclass
/// of the conforming class implements a method, the default is called instead.
/// - Since: iOS 8.0
public protocol HMAccessoryDelegate: NSObjectProtocol {
    /// The accessory's name changed.
    /// - Since: iOS 8.0
    func accessoryDidUpdateName(_ accessory: HMAccessory)
    /// A service's name changed.
    /// - Since: iOS 8.0
    func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService)
    /// The associated service type of a switch, an outlet or a contact sensor changed.
    /// - Since: iOS 8.0
    func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService)
    /// The accessory's services changed.
    /// - Since: iOS 8.0
    func accessoryDidUpdateServices(_ accessory: HMAccessory)
    /// The accessory became reachable or unreachable.
    /// - Since: iOS 8.0
    func accessoryDidUpdateReachability(_ accessory: HMAccessory)
    /// A characteristic's value changed; the characteristic already has the new value. Called only for characteristics
    /// with ``HMCharacteristic/enableNotification(_:completionHandler:)``. For a button, also called when the same
    /// press repeats.
    /// - Since: iOS 8.0
    func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    )
    /// The accessory's firmware version changed.
    /// - Since: iOS 11.0
    func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion firmwareVersion: String)
    /// The accessory gained a profile: its services now make it a camera.
    /// - Since: iOS 11.0
    func accessory(_ accessory: HMAccessory, didAdd profile: HMAccessoryProfile)
    /// The accessory lost a profile: it is no longer a camera. The profile keeps its last services.
    /// - Since: iOS 11.0
    func accessory(_ accessory: HMAccessory, didRemove profile: HMAccessoryProfile)
}

extension HMAccessoryDelegate {
    /// Does nothing.
    public func accessoryDidUpdateName(_ accessory: HMAccessory) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService) {}
    /// Does nothing.
    public func accessoryDidUpdateServices(_ accessory: HMAccessory) {}
    /// Does nothing.
    public func accessoryDidUpdateReachability(_ accessory: HMAccessory) {}
    /// Does nothing.
    public func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion firmwareVersion: String) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didAdd profile: HMAccessoryProfile) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didRemove profile: HMAccessoryProfile) {}
}
