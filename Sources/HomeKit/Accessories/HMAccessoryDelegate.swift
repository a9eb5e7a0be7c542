public import Foundation

/// Hears what happens to an accessory, when another app, device or person, or the accessory itself, made it happen.
///
/// Every method is called on the main queue and may be left out. A change by this app itself is told by its completion
/// alone.
///
/// Since Linux has no optional requirements, each method has an empty default here. It is called instead of a method that
/// only a subclass of the conforming class has.
/// - Since: iOS 8.0
public protocol HMAccessoryDelegate: NSObjectProtocol {
    /// The accessory has another name.
    /// - Since: iOS 8.0
    func accessoryDidUpdateName(_ accessory: HMAccessory)
    /// A service has another name.
    /// - Since: iOS 8.0
    func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService)
    /// A switch, an outlet or a contact sensor was said to belong to something else.
    /// - Since: iOS 8.0
    func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService)
    /// The accessory has other services than before.
    /// - Since: iOS 8.0
    func accessoryDidUpdateServices(_ accessory: HMAccessory)
    /// The accessory can be reached now, or not any more.
    /// - Since: iOS 8.0
    func accessoryDidUpdateReachability(_ accessory: HMAccessory)
    /// A characteristic has a new value, which it shows already. Told only of characteristics for which this app called
    /// ``HMCharacteristic/enableNotification(_:completionHandler:)``; of a button also when the same press comes again.
    /// - Since: iOS 8.0
    func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    )
    /// The accessory has other firmware.
    /// - Since: iOS 11.0
    func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion firmwareVersion: String)
    /// The accessory has services that make it a camera, as it had not before.
    /// - Since: iOS 11.0
    func accessory(_ accessory: HMAccessory, didAdd profile: HMAccessoryProfile)
    /// The accessory is a camera no longer. The profile shows the services that it had.
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
