public import Foundation

/// Hears what happens to an accessory, when another app, device or person, or the accessory itself, made it happen.
///
/// Every method is called on the main queue and may be left out. A change by this app itself is told by its completion
/// alone.
public protocol HMAccessoryDelegate: NSObjectProtocol {
    /// The accessory has another name.
    func accessoryDidUpdateName(_ accessory: HMAccessory)
    /// A service has another name.
    func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService)
    /// The accessory has other services than before.
    func accessoryDidUpdateServices(_ accessory: HMAccessory)
    /// The accessory can be reached now, or not any more.
    func accessoryDidUpdateReachability(_ accessory: HMAccessory)
    /// A characteristic has a new value, which it shows already. Told only of characteristics for which this app called
    /// ``HMCharacteristic/enableNotification(_:completionHandler:)``; of a button also when the same press comes again.
    func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    )
    /// The accessory has other firmware.
    func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion firmwareVersion: String)
}

extension HMAccessoryDelegate {
    /// Does nothing.
    public func accessoryDidUpdateName(_ accessory: HMAccessory) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {}
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
}
