// The example of Sources/HomeKit/HomeKit.docc/HomeKit.md. A test looks for every block of that page in this file.

import HomeKit

final class LampList: NSObject, HMHomeManagerDelegate, Sendable {
    let manager = HMHomeManager()

    override init() {
        super.init()
        manager.delegate = self
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        for name in lamps { print(name) }
    }

    var lamps: [String] {
        var names: [String] = []
        for home in manager.homes {
            for lamp in home.servicesWithTypes([HMServiceTypeLightbulb]) ?? [] {
                guard let accessory = lamp.accessory else { continue }
                names.append("\(accessory.name) in \(accessory.room?.name ?? "no room")")
            }
        }
        return names
    }
}
