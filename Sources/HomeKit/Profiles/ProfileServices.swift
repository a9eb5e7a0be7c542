import Foundation
import HomeModel
import Synchronization

/// The services of an accessory's profile, shared by the profile and its controls.
final class ProfileServices: Sendable {
    private let last = Mutex<[HMService]?>(nil)

    init(of accessory: HMAccessory) {
        self.accessory = accessory
    }

    /// The accessory that has the profile.
    weak let accessory: HMAccessory?

    /// The services, in the accessory's order or, once the profile is gone, its last services.
    var services: [HMService] {
        last.withLock { $0 } ?? accessory?.cameraServices ?? []
    }

    /// Returns the first characteristic of a type in all services, or in the services of one type.
    func characteristic(_ type: String, in serviceType: String? = nil) -> HMCharacteristic? {
        services.lazy
            .filter { serviceType == nil || $0.serviceType == serviceType }
            .flatMap(\.characteristics)
            .first { $0.characteristicType == type }
    }

    /// Keeps the last services after the accessory lost the profile. It may be called with the hub's state locked.
    func freeze(_ services: [HMService]) {
        last.withLock { $0 = $0 ?? services }
    }
}
