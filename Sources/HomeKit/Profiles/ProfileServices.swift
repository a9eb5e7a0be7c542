import Foundation
import HomeModel
import Synchronization

/// The services of an accessory's profile, which the profile and its controls share.
final class ProfileServices: Sendable {
    private let last = Mutex<[HMService]?>(nil)

    init(of accessory: HMAccessory) {
        self.accessory = accessory
    }

    /// The accessory that has the profile.
    weak let accessory: HMAccessory?

    /// The services in the accessory's order; once the profile is gone, those that it had last.
    var services: [HMService] {
        last.withLock { $0 } ?? accessory?.cameraServices ?? []
    }

    /// The first characteristic of a type in the services, or in those of one type.
    func characteristic(_ type: String, in serviceType: String? = nil) -> HMCharacteristic? {
        services.lazy
            .filter { serviceType == nil || $0.serviceType == serviceType }
            .flatMap(\.characteristics)
            .first { $0.characteristicType == type }
    }

    /// Keeps the services as they were: the accessory has the profile no longer. It may be called with the hub's state
    /// locked.
    func freeze(_ services: [HMService]) {
        last.withLock { $0 = $0 ?? services }
    }
}
