import HomeKit
import Synchronization

/// Something that happened in the homes.
public enum HomeNews: Sendable {
    /// The homes, or what is in one of them, are others than before: look at everything again.
    case layout
    /// An accessory, a service or a room of it is called or placed otherwise, or it can be reached again or no more.
    case accessory(HMAccessory)
    /// A characteristic has another value.
    case value(HMCharacteristic, of: HMService)
}

/// Whoever wants to hear what happens in the homes.
@MainActor
public protocol HomeListener: AnyObject {
    /// Is told of something, on the main thread.
    func hear(_ news: HomeNews)
}

/// Has the app's one home manager. HomeKit tells each object's one delegate what others do; the store is that delegate
/// everywhere, and passes it on to any number of listeners.
public final class HomeStore: NSObject, Sendable {
    /// The store of the app.
    public static let shared = HomeStore()

    /// The one home manager.
    public let manager = HMHomeManager()

    private struct Listener: @unchecked Sendable {
        // @unchecked: the reference is read and the listener called on the main thread only.
        weak var listener: (any HomeListener)?
    }

    private let listeners = Mutex<[Listener]>([])

    private override init() {
        super.init()
        manager.delegate = self
    }

    /// Adds a listener, for as long as it lives.
    @MainActor
    public func add(_ listener: any HomeListener) {
        let added = Listener(listener: listener)
        listeners.withLock { $0 = $0.filter { $0.listener != nil } + [added] }
    }

    /// Becomes the delegate of a home and all of its accessories.
    public func observe(_ home: HMHome) {
        home.delegate = self
        for accessory in home.accessories { accessory.delegate = self }
    }

    /// HomeKit calls its delegates on the main queue.
    private func tell(_ news: HomeNews) {
        MainActor.assumeIsolated {
            for entry in listeners.withLock({ $0 }) { entry.listener?.hear(news) }
        }
    }
}

extension HomeStore: HMHomeManagerDelegate {
    /// The homes are there, or are others.
    public func homeManagerDidUpdateHomes(_ manager: HMHomeManager) { tell(.layout) }
    /// Another home is the primary one.
    public func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) { tell(.layout) }
    /// There is another home.
    public func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) { tell(.layout) }
    /// A home is gone.
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
    /// An accessory has other services.
    public func accessoryDidUpdateServices(_ accessory: HMAccessory) { tell(.layout) }
    /// An accessory can be reached again, or no more.
    public func accessoryDidUpdateReachability(_ accessory: HMAccessory) { tell(.accessory(accessory)) }
    /// Another app renamed a service.
    public func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) { tell(.accessory(accessory)) }

    /// A value is another one.
    public func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        tell(.value(characteristic, of: service))
    }
}
