import HomeKit
import Testing

// Code as in apps from the Swift 5 era. This target is compiled in Swift 5 mode; the code must compile unchanged.

final class HomeStore: NSObject, HMHomeManagerDelegate, HMHomeDelegate, HMAccessoryDelegate {
    static let shared = HomeStore()

    var home: HMHome?
    var values: [UUID: Int] = [:]
    var lastError: String?

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        home = manager.primaryHome ?? manager.homes.first
        home?.delegate = self
        home?.accessories.forEach { $0.delegate = self }
    }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        accessory.delegate = self
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        values[characteristic.uniqueIdentifier] = characteristic.value as? Int
    }
}

class LightController {
    let characteristic: HMCharacteristic
    var isOn = false
    var onChange: ((Bool) -> Void)?

    init?(_ service: HMService) {
        guard
            let power = service.characteristics.first(where: { $0.characteristicType == HMCharacteristicTypePowerState }
            )
        else { return nil }
        characteristic = power
    }

    // Not Sendable, captured by completions that are: Swift 5 mode lets it pass.
    func toggle() {
        characteristic.writeValue(!isOn) { error in
            if let error = error {
                print("could not toggle: \(error.localizedDescription)")
                return
            }
            self.isOn = self.characteristic.value as? Bool ?? false
            self.onChange?(self.isOn)
        }
    }

    func refresh(_ completion: @escaping (Int?) -> Void) {
        characteristic.readValue { error in
            if let nsError = error as NSError?, nsError.domain == HMErrorDomain {
                completion(nil)
            } else {
                completion(self.characteristic.value as? Int)
            }
        }
    }

    func refreshAll(_ characteristics: [HMCharacteristic], completion: @escaping () -> Void) {
        let group = DispatchGroup()
        for characteristic in characteristics
        where characteristic.properties.contains(HMCharacteristicPropertyReadable) {
            group.enter()
            characteristic.readValue { _ in group.leave() }
        }
        group.notify(queue: .main, execute: completion)
    }
}

class BrowserScreen: NSObject, HMAccessoryBrowserDelegate {
    let browser = HMAccessoryBrowser()
    var found: [HMAccessory] = []

    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {
        found.append(accessory)
    }

    func add(_ accessory: HMAccessory, to home: HMHome, in roomName: String) {
        home.addAccessory(accessory) { error in
            guard error == nil else { return }
            let room = home.rooms.first { $0.name.lowercased() == roomName.lowercased() } ?? home.roomForEntireHome()
            home.assignAccessory(accessory, to: room) { error in
                if let error = error as? HMError, error.code == .objectAssociatedToAnotherHome { return }
                self.found.removeAll { $0 == accessory }
            }
        }
    }
}

protocol HomeProvider {
    init()
    var homes: [HMHome] { get }
}

extension HMHomeManager: HomeProvider {}

final class CountingManager: HMHomeManager {
    var updates = 0
}

func describe(_ status: HMHomeManagerAuthorizationStatus) -> String {
    if status.contains(.authorized) { return "authorized" }
    return status.contains(.determined) ? "refused" : "unknown"
}

func describe(_ error: Error) -> String {
    switch error {
    case HMError.accessoryNotReachable: return "not reachable"
    case HMError.operationCancelled: return "cancelled"
    default: return error.localizedDescription
    }
}

func region(around latitude: CLLocationDegrees, _ longitude: CLLocationDegrees) -> CLRegion {
    let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    let region = CLCircularRegion(center: center, radius: 100, identifier: "home")
    region.notifyOnEntry = true
    region.notifyOnExit = false
    return region
}

@Suite struct Swift5AppTests {
    @Test func regionsComeWithTheFramework() {
        let region = region(around: 48, 16)
        #expect((region as? CLCircularRegion)?.contains(CLLocation(latitude: 48, longitude: 16).coordinate) == true)
    }

    @Test func statusesAndErrorsMeanTheSame() {
        #expect(describe([.determined, .authorized]) == "authorized")
        #expect(describe(.determined) == "refused")
        #expect(describe([]) == "unknown")
        #expect(describe(HMError(.accessoryNotReachable)) == "not reachable")
        #expect(describe(HMError(.operationCancelled)) == "cancelled")
    }
}
