public import Foundation

/// A delegate that receives a browser's discoveries. Methods are called on the main queue, only during a search, and
/// are optional.
///
/// Swift on Linux has no optional requirements, so each method has an empty default implementation. If only a subclass
/// of the conforming class implements a method, the default is called instead.
/// - Since: iOS 8.0
public protocol HMAccessoryBrowserDelegate: NSObjectProtocol {
    /// The browser found an accessory that is in no home.
    /// - Since: iOS 8.0
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory)
    /// A discovered accessory is no longer available, or joined a home.
    /// - Since: iOS 8.0
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory)
}

extension HMAccessoryBrowserDelegate {
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {}
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {}
}
