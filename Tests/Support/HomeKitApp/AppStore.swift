import HomeKit

/// Owns the home manager and reports every delegate callback.
@MainActor
final class AppStore: NSObject {
    let manager = HMHomeManager()
    let browser = HMAccessoryBrowser()

    override init() {
        super.init()
        manager.delegate = self
        browser.delegate = self
    }

    /// Sets the delegates of all homes and accessories again, as apps do after every update.
    func observeHomes() {
        for home in manager.homes {
            home.delegate = self
            for accessory in home.accessories { accessory.delegate = self }
        }
    }

    var home: HMHome? { manager.primaryHome ?? manager.homes.first }

    func accessory(named name: String) -> HMAccessory? {
        home?.accessories.first { $0.name == name }
    }

    func characteristic(_ type: String, of name: String) -> HMCharacteristic? {
        accessory(named: name)?.services.flatMap(\.characteristics).first { $0.characteristicType == type }
    }
}

extension AppStore: @preconcurrency HMHomeManagerDelegate {
    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        report("didUpdateStatus", ["authorized": status.contains(.authorized)])
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        observeHomes()
        report("didUpdateHomes", ["homes": manager.homes.map(\.name)])
    }

    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) {
        observeHomes()
        report("didAddHome", ["name": home.name])
    }

    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) {
        report("didRemoveHome", ["name": home.name])
    }

    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {
        report("didUpdatePrimaryHome", ["name": manager.primaryHome?.name ?? ""])
    }
}

extension AppStore: @preconcurrency HMHomeDelegate {
    func home(_ home: HMHome, didAdd room: HMRoom) {
        report(
            "didAddRoom",
            ["name": room.name, "listed": home.rooms.contains(room), "uuid": room.uniqueIdentifier.uuidString]
        )
    }

    func home(_ home: HMHome, didRemove room: HMRoom) {
        report("didRemoveRoom", ["name": room.name])
    }

    func home(_ home: HMHome, didUpdateNameFor room: HMRoom) {
        report("didRenameRoom", ["name": room.name])
    }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        accessory.delegate = self
        report("didAddAccessory", ["name": accessory.name])
    }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) {
        report("didRemoveAccessory", ["name": accessory.name])
    }

    func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory) {
        let error = error as NSError
        report(
            "didEncounterError",
            [
                "name": accessory.name, "error": error.code, "reason": error.localizedFailureReason ?? "",
                "advice": error.localizedRecoverySuggestion ?? "",
                "trouble": error.userInfo["HearthAccessoryTrouble"] as? String ?? "",
            ]
        )
    }

    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        report(
            "didMoveAccessory",
            ["name": accessory.name, "room": room.name, "uuid": accessory.uniqueIdentifier.uuidString]
        )
    }
}

extension AppStore: @preconcurrency HMAccessoryDelegate {
    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        report(
            "didUpdateValue",
            [
                "name": accessory.name, "type": characteristic.characteristicType,
                "value": "\(characteristic.value ?? "nil")",
            ]
        )
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        report("didUpdateReachability", ["name": accessory.name, "reachable": accessory.isReachable])
    }
}

extension AppStore: @preconcurrency HMAccessoryBrowserDelegate {
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {
        report("didFindNewAccessory", ["name": accessory.name])
    }

    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {
        report("didRemoveNewAccessory", ["name": accessory.name])
    }
}

/// Reports an event as a line of JSON.
func report(_ event: String, _ details: [String: Any] = [:]) {
    var object = details
    object["event"] = event
    guard var line = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys) else { return }
    line.append(UInt8(ascii: "\n"))
    FileHandle.standardOutput.write(line)
}
