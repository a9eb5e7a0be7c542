public import Foundation

/// Hears what a browser finds. Every method is called on the main queue, only while the browser searches, and may be
/// left out.
public protocol HMAccessoryBrowserDelegate: NSObjectProtocol {
    /// An accessory that is in no home was found.
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory)
    /// An accessory that was found is there no more, or has joined a home.
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory)
}

extension HMAccessoryBrowserDelegate {
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {}
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {}
}
