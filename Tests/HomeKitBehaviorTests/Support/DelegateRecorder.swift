import HomeKitTesting
import Synchronization

/// A delegate of all objects that records its calls, with the objects' state at the time of the call.
final class DelegateRecorder: NSObject, Sendable {
    private let log = Mutex<[String]>([])

    /// The recorded calls, in order.
    var notes: [String] { log.withLock { $0 } }

    func count(_ note: String) -> Int { notes.count { $0 == note } }

    func note(_ note: String) {
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
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) { note("homes \(manager.homes.map(\.name))") }

    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) { note("added home \(home.name)") }

    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) { note("removed home \(home.name)") }

    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) { note("primary home") }
}

extension DelegateRecorder: HMHomeDelegate {
    func homeDidUpdateName(_ home: HMHome) { note("home \(home.name)") }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) { note("added \(accessory.name)") }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) { note("removed \(accessory.name)") }

    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        note("\(accessory.name) in \(accessory.room?.name ?? "no room")")
    }

    func home(_ home: HMHome, didAdd room: HMRoom) { note("added room \(room.name) to \(home.rooms.count)") }

    func home(_ home: HMHome, didRemove room: HMRoom) { note("removed room \(room.name) of \(home.rooms.count)") }

    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) { note("\(room.name) in zone \(zone.name)") }
}

extension DelegateRecorder: HMAccessoryDelegate {
    func accessoryDidUpdateName(_ accessory: HMAccessory) { note("renamed \(accessory.name)") }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        note("\(accessory.name) \(accessory.isReachable ? "reachable" : "unreachable")")
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        note("\(accessory.name) \(characteristic.localizedDescription) \(characteristic.value ?? "nil")")
    }
}
