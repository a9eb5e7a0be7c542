public import Foundation

/// A delegate that receives changes to the user's list of homes, made by another app, another user or the hub.
///
/// Methods are called on the main queue and are optional. A change that this app makes is reported only to its
/// completion handler.
///
/// Swift on Linux has no optional requirements, so each method has an empty default implementation. If only a subclass
/// of the conforming class implements a method, the default is called instead.
/// - Since: iOS 8.0
public protocol HMHomeManagerDelegate: NSObjectProtocol {
    /// The decision on whether the app may use the homes was made or changed.
    /// - Since: iOS 13.0
    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus)
    /// The homes are loaded, with all their contents. Also called if so much changed that the app should read
    /// everything again, for example after a lost connection to the hub.
    /// - Since: iOS 8.0
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager)
    /// The primary home changed, or there no longer is one.
    /// - Since: iOS 8.0
    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager)
    /// A home was added to the list.
    /// - Since: iOS 8.0
    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome)
    /// A home was removed from the list. Its object keeps its last state.
    /// - Since: iOS 8.0
    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome)
}

extension HMHomeManagerDelegate {
    /// Does nothing.
    public func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {}
    /// Does nothing.
    public func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {}
    /// Does nothing.
    public func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {}
    /// Does nothing.
    public func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) {}
    /// Does nothing.
    public func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) {}
}
