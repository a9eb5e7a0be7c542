import HomeKit
import Testing

// Code as in current apps. This target is compiled in Swift 6 mode, without this package's settings. The code must
// compile unchanged, and with only `import HomeKit`.

@MainActor
final class HomeModel: NSObject {
    private let manager: HMHomeManager
    private(set) var homes: [HMHome] = []
    private(set) var values: [HMCharacteristic: Double] = [:]
    private(set) var unreachable: Set<HMAccessory> = []
    private(set) var lastError: String?
    var selected: HMHome?

    init(manager: HMHomeManager) {
        self.manager = manager
        super.init()
        manager.delegate = self
    }

    var status: String {
        switch manager.authorizationStatus {
        case let status where status.contains(.authorized): "authorized"
        case .restricted: "restricted"
        case []: "unknown"
        default: "refused"
        }
    }

    var characteristics: [HMCharacteristic] {
        homes.flatMap(\.accessories).flatMap(\.services).flatMap(\.characteristics)
    }

    // MARK: Reading and writing

    func refresh() async {
        await withTaskGroup(of: Void.self) { group in
            for characteristic in characteristics {
                group.addTask { try? await characteristic.readValue() }
            }
        }
        for characteristic in characteristics { values[characteristic] = characteristic.value as? Double }
    }

    func set(_ characteristic: HMCharacteristic, to value: Any) async {
        do {
            try await characteristic.writeValue(value)
            values[characteristic] = characteristic.value as? Double
        } catch let error as HMError where error.code == .accessoryNotReachable {
            unreachable.formUnion([characteristic.service?.accessory].compactMap(\.self))
        } catch HMError.operationTimedOut {
            lastError = "too late"
        } catch {
            let error = error as NSError
            lastError = "\(error.domain) \(error.code): \(error.localizedDescription)"
        }
    }

    func toggle(_ characteristic: HMCharacteristic) {
        let isOn = characteristic.value as? Bool ?? false
        characteristic.writeValue(!isOn) { [weak self] error in
            Task { @MainActor in self?.lastError = error?.localizedDescription }
        }
        Task { try await characteristic.writeValue(0.5) }
        Task.detached { try await characteristic.enableNotification(true) }
    }

    func written(_ value: Int, to characteristic: HMCharacteristic) async throws -> Int? {
        try await withCheckedThrowingContinuation { continuation in
            characteristic.writeValue(value) { error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: characteristic.value as? Int)
                }
            }
        }
    }

    // MARK: Layout

    func layOut(_ name: String) async throws -> HMRoom {
        let home = try await manager.addHome(named: name)
        let room = try await home.addRoom(named: "Kitchen")
        let zone = try await home.addZone(named: "Downstairs")
        try await zone.addRoom(room)
        async let renamed: Void = room.updateName("Cuisine")
        for accessory in home.accessories where accessory.room == home.roomForEntireHome() {
            try await home.assignAccessory(accessory, to: room)
            try await accessory.identify()
        }
        try await renamed
        let hall: HMRoom = try await withCheckedThrowingContinuation { continuation in
            home.addRoom(withName: "Hall") { room, error in
                if let room {
                    continuation.resume(returning: room)
                } else {
                    continuation.resume(throwing: error ?? HMError(.unexpectedError))
                }
            }
        }
        try await home.removeRoom(hall)
        return room
    }
}

extension HomeModel: HMHomeManagerDelegate {
    nonisolated func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        Task { @MainActor in
            self.homes = manager.homes
            for home in manager.homes {
                home.delegate = self
                home.accessories.forEach { $0.delegate = self }
            }
        }
    }

    nonisolated func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        let isAllowed = status.contains(.authorized)
        Task { @MainActor in lastError = isAllowed ? nil : "not allowed" }
    }
}

extension HomeModel: @preconcurrency HMHomeDelegate {
    func home(_ home: HMHome, didAdd accessory: HMAccessory) { selected = home }
}

extension HomeModel: @MainActor HMAccessoryDelegate {
    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        if accessory.isReachable { unreachable.remove(accessory) } else { unreachable.insert(accessory) }
    }
}

/// Passes on what an accessory tells as a stream.
final class ValueStream: NSObject, HMAccessoryDelegate, Sendable {
    let values: AsyncStream<(HMCharacteristic, Double?)>
    private let continuation: AsyncStream<(HMCharacteristic, Double?)>.Continuation

    override init() {
        (values, continuation) = AsyncStream.makeStream()
        super.init()
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        continuation.yield((characteristic, characteristic.value as? Double))
    }
}

/// What a camera shows, and whether it can be heard.
@MainActor
final class CameraModel: NSObject {
    private(set) var stream: HMCameraStream?
    private(set) var failure: String?
    private let profile: HMCameraProfile

    init?(_ accessory: HMAccessory) {
        guard let profile = accessory.profiles.compactMap({ $0 as? HMCameraProfile }).first else { return nil }
        self.profile = profile
        super.init()
        profile.streamControl?.delegate = self
        profile.streamControl?.startStream()
    }

    func mute() async throws {
        try await profile.streamControl?.cameraStream?.updateAudioStreamSetting(.muted)
        try await profile.microphoneControl?.mute?.writeValue(true)
        try await profile.settingsControl?.nightVision?.readValue()
    }
}

extension CameraModel: HMCameraStreamControlDelegate {
    nonisolated func cameraStreamControlDidStartStream(_ cameraStreamControl: HMCameraStreamControl) {
        Task { @MainActor in stream = cameraStreamControl.cameraStream }
    }

    nonisolated func cameraStreamControl(
        _ cameraStreamControl: HMCameraStreamControl,
        didStopStreamWithError error: (any Error)?
    ) {
        let failure = error?.localizedDescription
        Task { @MainActor in self.failure = failure }
    }
}

actor AccessoryCache {
    private var accessories: [UUID: HMAccessory] = [:]

    func add(_ accessory: HMAccessory) { accessories[accessory.uniqueIdentifier] = accessory }

    func read(_ characteristic: HMCharacteristic) async throws -> Double? {
        try await characteristic.readValue()
        return characteristic.value as? Double
    }

    func write(_ value: any Sendable, to characteristic: HMCharacteristic) async throws {
        try await characteristic.writeValue(value)
    }
}

struct Light: Sendable, Identifiable, Hashable {
    let accessory: HMAccessory
    var room: HMRoom?
    var id: UUID { accessory.uniqueIdentifier }

    var power: HMCharacteristic? {
        accessory.services.first { $0.serviceType == HMServiceTypeLightbulb }?
            .characteristics.first { $0.characteristicType == HMCharacteristicTypePowerState }
    }
}

enum AppError: LocalizedError {
    case framework(HMError)
    case other(any Error)

    init(_ error: any Error) {
        self = (error as? HMError).map(Self.framework) ?? .other(error)
    }

    var errorDescription: String? {
        switch self {
        case .framework(let error) where error.code == .operationCancelled: nil
        case .framework(let error): error.localizedDescription
        case .other(let error): "\(error)"
        }
    }
}

func advice(on code: HMError.Code) -> String {
    switch code {
    case .accessoryNotReachable, .communicationFailure, .operationTimedOut: "Try again."
    case .insufficientPrivileges: "Ask the owner."
    case .homeAccessNotAuthorized: "Allow this app."
    default: HMError(code).localizedDescription
    }
}

@Suite struct ModernAppTests {
    @Test func errorsReadAsTheAppSays() {
        #expect(AppError(HMError(.operationCancelled)).errorDescription == nil)
        #expect(AppError(HMError(.accessDenied)).errorDescription == "The accessory does not allow this.")
        #expect(advice(on: .insufficientPrivileges) == "Ask the owner.")
        #expect(advice(on: .fireDateInPast) == "The time is in the past.")
    }

    @Test func regionsPassBetweenActors() async {
        let center = CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4)
        let region: CLRegion = CLCircularRegion(center: center, radius: 100, identifier: "Home")
        let identifier = await Task.detached { region.identifier }.value
        #expect(identifier == "Home")
    }

    @MainActor
    @Test func aModelOfAManagerKnowsNothingAtFirst() {
        final class NoHomes: HMHomeManager, @unchecked Sendable {
            override var homes: [HMHome] { [] }
        }
        let model = HomeModel(manager: NoHomes())
        #expect(model.homes.isEmpty)
        #expect(model.characteristics.isEmpty)
        #expect(model.status == "unknown")
    }
}
