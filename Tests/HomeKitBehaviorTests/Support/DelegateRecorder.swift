import HomeKitTesting
import Synchronization

/// A delegate of all objects that records its calls, with the objects' state at the time of the call.
final class DelegateRecorder: NSObject, Sendable {
    private let log = Mutex<[String]>([])

    /// The recorded calls, in order.
    var notes: [String] { log.withLock { $0 } }

    func count(_ note: String) -> Int { notes.count { $0 == note } }

    func record(_ note: String) {
        // Apps update their views in the callback.
        dispatchPrecondition(condition: .onQueue(.main))
        log.withLock { $0.append(note) }
    }

    /// Sets itself as the delegate of a home and of its accessories.
    func observe(_ home: HMHome) {
        home.delegate = self
        for accessory in home.accessories { accessory.delegate = self }
    }
}

extension DelegateRecorder: HMHomeManagerDelegate {
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) { record("homes \(manager.homes.map(\.name))") }

    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) { record("added home \(home.name)") }

    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) { record("removed home \(home.name)") }

    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) { record("primary home") }
}

extension DelegateRecorder: HMHomeDelegate {
    func homeDidUpdateName(_ home: HMHome) { record("home \(home.name)") }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) { record("added \(accessory.name)") }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) { record("removed \(accessory.name)") }

    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        record("\(accessory.name) in \(accessory.room?.name ?? "no room")")
    }

    func home(_ home: HMHome, didAdd room: HMRoom) { record("added room \(room.name) to \(home.rooms.count)") }

    func home(_ home: HMHome, didRemove room: HMRoom) { record("removed room \(room.name) of \(home.rooms.count)") }

    func home(_ home: HMHome, didAdd user: HMUser) { record("added user \(user.name)") }

    func home(_ home: HMHome, didRemove user: HMUser) { record("removed user \(user.name)") }

    func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {
        let isAdministrator = home.homeAccessControl(for: home.currentUser).isAdministrator
        record("now \(isAdministrator ? "an administrator" : "a guest")")
    }

    func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState) {
        record("hub \(homeHubState == .connected ? "connected" : "disconnected")")
    }

    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) { record("\(room.name) in zone \(zone.name)") }
}

extension DelegateRecorder: HMAccessoryDelegate {
    func accessoryDidUpdateName(_ accessory: HMAccessory) { record("renamed \(accessory.name)") }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        record("\(accessory.name) \(accessory.isReachable ? "reachable" : "unreachable")")
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        record("\(accessory.name) \(characteristic.localizedDescription) \(characteristic.value ?? "nil")")
    }
}
