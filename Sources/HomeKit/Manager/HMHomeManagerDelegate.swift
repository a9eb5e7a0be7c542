public import Foundation

/// Hears what happens to the user's list of homes, when another app, device or person made it happen.
///
/// Every method is called on the main queue and may be left out. A change by this app itself is told by its completion
/// alone.
///
/// Since Linux has no optional requirements, each method has an empty default here. It is called instead of a method that
/// only a subclass of the conforming class has.
/// - Since: iOS 8.0
public protocol HMHomeManagerDelegate: NSObjectProtocol {
    /// Whether the app may use the homes was decided, or decided anew.
    /// - Since: iOS 13.0
    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus)
    /// The homes are there, all of them with all that is in them; or so much changed that the app should read everything
    /// anew, as after the connection to the hub was lost.
    /// - Since: iOS 8.0
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager)
    /// Another home is the primary one, or there is none any more.
    /// - Since: iOS 8.0
    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager)
    /// A home was added to the list.
    /// - Since: iOS 8.0
    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome)
    /// A home left the list. Its object shows what it last was.
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
