// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
import HomeKit
import Testing

// Code as in servers and command-line tools for homes: dictionaries for JSON, various ways to wait, conversions.

class HomeKitService: NSObject {
    static let shared = HomeKitService()

    private var homeManager: HMHomeManager!
    private let lock = NSLock()
    private var isReady = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func start() {
        homeManager = HMHomeManager()
        homeManager.delegate = self
    }

    func waitUntilReady() async {
        if isReady { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            lock.lock()
            waiting.append(continuation)
            lock.unlock()
        }
    }

    var currentHome: HMHome? {
        if let stored = UserDefaults.standard.string(forKey: "home"), let id = UUID(uuidString: stored),
            let home = homeManager.homes.first(where: { $0.uniqueIdentifier == id })
        {
            return home
        }
        return homeManager.primaryHome ?? homeManager.homes.first
    }

    func describe() -> [[String: Any]] {
        guard let home = currentHome else { return [] }
        return home.accessories.map { accessory in
            var description: [String: Any] = [
                "id": accessory.uniqueIdentifier.uuidString,
                "name": accessory.name,
                "room": accessory.room?.name ?? "Default Room",
                "reachable": accessory.isReachable,
                "category": accessory.category.localizedDescription,
                "manufacturer": accessory.manufacturer ?? NSNull(),
                "bridged": accessory.uniqueIdentifiersForBridgedAccessories?.map { $0.uuidString } as Any,
            ]
            description["services"] = accessory.services
                .filter { $0.serviceType != HMServiceTypeAccessoryInformation }
                .map { service -> [String: Any] in
                    [
                        "type": service.serviceType, "name": service.name, "primary": service.isPrimaryService,
                        "characteristics": service.characteristics.map { characteristic in
                            [
                                "type": characteristic.characteristicType,
                                "value": characteristic.value ?? NSNull(),
                                "minimum": characteristic.metadata?.minimumValue as Any,
                                "format": characteristic.metadata?.format ?? "",
                            ] as [String: Any]
                        },
                    ]
                }
            return description
        }
    }

    func set(_ type: String, of name: String, to value: Any) async throws -> Bool {
        guard let accessory = currentHome?.accessories.first(where: { $0.name.lowercased() == name.lowercased() })
        else { throw NSError(domain: "Tool", code: 404, userInfo: [NSLocalizedDescriptionKey: "no \(name)"]) }
        for service in accessory.services {
            for characteristic in service.characteristics where characteristic.characteristicType == type {
                let value = HomeKitService.convert(value, for: characteristic.metadata?.format)
                return try await withCheckedThrowingContinuation { continuation in
                    characteristic.writeValue(value) { error in
                        if let error = error {
                            continuation.resume(throwing: error)
                        } else {
                            continuation.resume(returning: true)
                        }
                    }
                }
            }
        }
        return false
    }

    static func convert(_ value: Any, for format: String?) -> Any {
        switch format {
        case HMCharacteristicMetadataFormatBool:
            return (value as? Bool) ?? ((value as? NSNumber)?.boolValue ?? false)
        case HMCharacteristicMetadataFormatInt, HMCharacteristicMetadataFormatUInt8,
            HMCharacteristicMetadataFormatUInt16, HMCharacteristicMetadataFormatUInt32,
            HMCharacteristicMetadataFormatUInt64:
            if let double = value as? Double { return Int(double.rounded()) }
            if let text = value as? String, let integer = Int(text) { return integer }
            return value
        case HMCharacteristicMetadataFormatFloat?: return (value as? NSNumber)?.floatValue ?? 0
        case .some(HMCharacteristicMetadataFormatString): return "\(value)"
        default: return value
        }
    }

    func readAll(completion: @escaping ([UUID: Any]) -> Void) {
        let group = DispatchGroup()
        var values: [UUID: Any] = [:]
        for accessory in currentHome?.accessories ?? [] where accessory.isReachable {
            for characteristic in accessory.services.flatMap({ $0.characteristics }) where characteristic.isReadable {
                group.enter()
                characteristic.readValue { error in
                    defer { group.leave() }
                    if error == nil, let value = characteristic.value {
                        values[characteristic.uniqueIdentifier] = value
                    }
                }
            }
        }
        group.notify(queue: .main) { completion(values) }
    }

    func addRoomAndWait(_ name: String) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        var isAdded = false
        currentHome?.addRoom(
            withName: name,
            completionHandler: { (room, error) in
                isAdded = error == nil && room != nil
                semaphore.signal()
            }
        )
        return semaphore.wait(timeout: .now() + 5) == .success && isAdded
    }

    func clamp(_ value: Double, for characteristic: HMCharacteristic) {
        var value = value
        if let minimum = characteristic.metadata?.minimumValue?.doubleValue { value = max(value, minimum) }
        if let maximum = characteristic.metadata?.maximumValue as? Double { value = min(value, maximum) }
        if let valid = characteristic.metadata?.validValues, !valid.contains(NSNumber(value: value)) { return }
        characteristic.writeValue(value as NSNumber) { (error: Error?) -> Void in self.log(error) }
        characteristic.writeValue(Int(value), completionHandler: log)
    }

    func log(_ error: Error?) {
        guard let error = error as NSError? else { return }
        if error.domain == HMErrorDomain && error.code == HMError.Code.operationCancelled.rawValue { return }
        guard let code = HMError.Code(rawValue: error.code) else { return }
        switch code {
        case .accessDenied, .insufficientPrivileges: print("not allowed")
        case .operationTimedOut: fallthrough
        case .accessoryIsBusy: print("later")
        @unknown default: print(error.localizedDescription)
        }
    }
}

extension HomeKitService: HMHomeManagerDelegate {
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        lock.lock()
        isReady = true
        let continuations = waiting
        waiting.removeAll()
        lock.unlock()
        continuations.forEach { $0.resume() }
        for home in manager.homes {
            home.delegate = self
            for accessory in home.accessories {
                accessory.delegate = self
                for characteristic in accessory.services.flatMap({ $0.characteristics })
                where characteristic.supportsEvents {
                    characteristic.enableNotification(true) { error in
                        if let error { print("Failed to enable notification: \(error)") }
                    }
                }
            }
        }
    }

    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        switch status {
        case .authorized, [.authorized, .determined]: print("go")
        case .restricted: print("never")
        default: print(status.contains(.determined) ? "refused" : "unknown")
        }
    }
}

extension HomeKitService: HMHomeDelegate, HMAccessoryDelegate {
    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        print(accessory.name, room.name)
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        DispatchQueue.main.async { print(characteristic.value as Any) }
        Task { @MainActor in print(characteristic.value ?? "nil") }
    }
}

// MARK: Extensions of the framework's types, as apps have them

extension HMHome: Identifiable {
    public var id: UUID { uniqueIdentifier }

    var allRooms: [HMRoom] { [roomForEntireHome()] + rooms }
}

extension HMAccessory: Comparable {
    public static func < (left: HMAccessory, right: HMAccessory) -> Bool {
        left.name.localizedStandardCompare(right.name) == .orderedAscending
    }

    func find(_ serviceType: String, _ characteristicType: String) -> HMCharacteristic? {
        services.lazy.filter { $0.serviceType == serviceType }
            .flatMap { $0.characteristics }.first { $0.characteristicType == characteristicType }
    }
}

extension HMCharacteristic {
    typealias Handler = (Error?) -> Void

    var isReadable: Bool { properties.contains(HMCharacteristicPropertyReadable) }
    var supportsEvents: Bool {
        properties.contains(NSNotification.Name.HMCharacteristicPropertySupportsEvent.rawValue)
    }

    func write<T>(_ value: T, _ done: Handler? = nil) {
        writeValue(value) { error in done?(error) }
    }
}

extension HMError.Code: CaseIterable {
    public static var allCases: [HMError.Code] { [.accessDenied, .notFound] }
}

extension HMCharacteristicValueDoorState: CaseIterable {
    public static var allCases: [HMCharacteristicValueDoorState] { [.open, .closed] }
}

extension CLLocationCoordinate2D: Equatable {
    public static func == (left: CLLocationCoordinate2D, right: CLLocationCoordinate2D) -> Bool {
        left.latitude == right.latitude && left.longitude == right.longitude
    }
}

/// What an app puts in the framework's place in its tests.
protocol HomeCharacteristic {
    var value: Any? { get }
    var metadata: HMCharacteristicMetadata? { get }
    func readValue() async throws
    func writeValue(_ value: Any?) async throws
    func writeValue(_ value: Any?, completionHandler completion: @escaping (Error?) -> Void)
}

extension HMCharacteristic: HomeCharacteristic {}

class SilentManager: HMHomeManager {
    override var homes: [HMHome] { [] }
    override var primaryHome: HMHome? { nil }
}

@Suite struct ToolCodeTests {
    @Test func anAppsOwnListsOfCasesCount() {
        #expect(HMError.Code.allCases.count == 2)
        #expect(HMCharacteristicValueDoorState.allCases == [.open, .closed])
    }

    @Test func anAppsSubclassIsAsked() {
        let manager: HMHomeManager = SilentManager()
        #expect(manager.homes.isEmpty && manager.primaryHome == nil)
    }

    @Test func valuesAreConvertedByFormat() {
        #expect(HomeKitService.convert(1, for: HMCharacteristicMetadataFormatBool) as? Bool == true)
        #expect(HomeKitService.convert("7", for: HMCharacteristicMetadataFormatUInt8) as? Int == 7)
        #expect(HomeKitService.convert(2, for: HMCharacteristicMetadataFormatFloat) as? Float == 2)
    }
}
