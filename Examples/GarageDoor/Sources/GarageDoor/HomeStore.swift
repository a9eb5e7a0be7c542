import HomeKit
import Synchronization

/// A change in the homes.
public enum HomeNews: Sendable {
    /// The homes or their contents changed. Read everything again.
    case layout
    /// An accessory's, service's or room's name or place, or an accessory's reachability, changed.
    case accessory(HMAccessory)
    /// A characteristic's value changed.
    case value(HMCharacteristic, of: HMService)
}

/// An object that receives the changes in the homes.
@MainActor
public protocol HomeListener: AnyObject {
    /// Handles a change, on the main thread.
    func hear(_ news: HomeNews)
}

/// Owns the app's home manager. HomeKit objects have one delegate each, which receives other apps' changes. The store
/// is the delegate of all of them, and forwards the changes to any number of listeners.
public final class HomeStore: NSObject, Sendable {
    /// The app's store.
    public static let shared = HomeStore()

    /// The app's home manager.
    public let manager = HMHomeManager()

    private struct Listener: @unchecked Sendable {
        // @unchecked: the reference is read and the listener is called only on the main thread.
        weak var listener: (any HomeListener)?
    }

    private let listeners = Mutex<[Listener]>([])

    private override init() {
        super.init()
        manager.delegate = self
    }

    /// Adds a listener. The store doesn't retain it.
    @MainActor
    public func add(_ listener: any HomeListener) {
        let added = Listener(listener: listener)
        listeners.withLock { $0 = $0.filter { $0.listener != nil } + [added] }
    }

    /// Becomes the delegate of a home and all its accessories.
    public func observe(_ home: HMHome) {
        home.delegate = self
        for accessory in home.accessories { accessory.delegate = self }
    }

    /// HomeKit calls delegates on the main queue.
    private func tell(_ news: HomeNews) {
        MainActor.assumeIsolated {
            for entry in listeners.withLock({ $0 }) { entry.listener?.hear(news) }
        }
    }
}

extension HomeStore: HMHomeManagerDelegate {
    /// The homes were loaded or replaced.
    public func homeManagerDidUpdateHomes(_ manager: HMHomeManager) { tell(.layout) }
    /// The primary home changed.
    public func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) { tell(.layout) }
    /// A home was added.
    public func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) { tell(.layout) }
    /// A home was removed.
    public func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) { tell(.layout) }
}

extension HomeStore: HMHomeDelegate {
    /// Another app added an accessory.
    public func home(_ home: HMHome, didAdd accessory: HMAccessory) { tell(.layout) }
    /// Another app removed an accessory.
    public func home(_ home: HMHome, didRemove accessory: HMAccessory) { tell(.layout) }
    /// Another app moved an accessory.
    public func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) { tell(.accessory(accessory)) }
    /// Another app renamed a room.
    public func home(_ home: HMHome, didUpdateNameFor room: HMRoom) { tell(.layout) }
    /// Another app removed a room.
    public func home(_ home: HMHome, didRemove room: HMRoom) { tell(.layout) }
}

extension HomeStore: HMAccessoryDelegate {
    /// Another app renamed an accessory.
    public func accessoryDidUpdateName(_ accessory: HMAccessory) { tell(.accessory(accessory)) }
    /// An accessory's services changed.
    public func accessoryDidUpdateServices(_ accessory: HMAccessory) { tell(.layout) }
    /// An accessory's reachability changed.
    public func accessoryDidUpdateReachability(_ accessory: HMAccessory) { tell(.accessory(accessory)) }
    /// Another app renamed a service.
    public func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) { tell(.accessory(accessory)) }

    /// A value changed.
    public func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        tell(.value(characteristic, of: service))
    }
}
