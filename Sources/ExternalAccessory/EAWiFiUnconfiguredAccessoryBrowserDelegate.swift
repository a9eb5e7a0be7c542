public import Foundation

/// A delegate of a browser for accessories that aren't on a network.
///
/// All methods are called on the browser's queue.
/// - Since: iOS 8.0
public protocol EAWiFiUnconfiguredAccessoryBrowserDelegate: NSObjectProtocol {
    /// Called when the browser's state has changed.
    /// - Since: iOS 8.0
    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didUpdate state: EAWiFiUnconfiguredAccessoryBrowserState
    )

    /// Called when accessories have been added to ``EAWiFiUnconfiguredAccessoryBrowser/unconfiguredAccessories``.
    /// - Since: iOS 8.0
    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didFindUnconfiguredAccessories accessories: Set<EAWiFiUnconfiguredAccessory>
    )

    /// Called when accessories have been removed from ``EAWiFiUnconfiguredAccessoryBrowser/unconfiguredAccessories``.
    /// - Since: iOS 8.0
    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didRemoveUnconfiguredAccessories accessories: Set<EAWiFiUnconfiguredAccessory>
    )

    /// Called when the configuration of an accessory has ended.
    /// - Since: iOS 8.0
    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didFinishConfiguringAccessory accessory: EAWiFiUnconfiguredAccessory,
        with status: EAWiFiUnconfiguredAccessoryConfigurationStatus
    )
}
