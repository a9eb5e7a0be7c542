public import Foundation

/// Hears what a browser finds. Every method is called on the main queue, only while the browser searches, and may be
/// left out.
///
/// Since Linux has no optional requirements, each method has an empty default here. It is called instead of a method that
/// only a subclass of the conforming class has.
/// - Since: iOS 8.0
public protocol HMAccessoryBrowserDelegate: NSObjectProtocol {
    /// An accessory that is in no home was found.
    /// - Since: iOS 8.0
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory)
    /// An accessory that was found is there no more, or has joined a home.
    /// - Since: iOS 8.0
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory)
}

extension HMAccessoryBrowserDelegate {
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {}
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {}
}
