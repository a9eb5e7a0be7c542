import Foundation
import HomeModel
import Synchronization

extension HMAccessory {
    /// The accessory's camera; nil when it is none.
    var cameraProfile: HMCameraProfile? {
        read { home, record in
            home.cameraServices(of: record).isEmpty ? nil : camera()
        }
    }

    /// The services that make the accessory a camera; none when it is no camera.
    var cameraServices: [HMService] {
        guard let view else { return [] }
        return read { home, record in
            home.cameraServices(of: record).map { service($0.iid, view) }
        } ?? []
    }

    /// The object of the accessory's camera. It may be called with the hub's state locked.
    func camera() -> HMCameraProfile {
        cameraObject.withLock { object in
            if let object { return object }
            let camera = HMCameraProfile(of: self)
            object = camera
            return camera
        }
    }

    /// Lets go of the object of the camera, if the accessory is one no longer: it keeps the services that it had. Call it
    /// with the hub's state locked, before the services follow.
    func followCamera(from before: AccessoryRecord, to after: AccessoryRecord, _ old: Home, _ new: Home) {
        guard let view, new.cameraServices(of: after).isEmpty else { return }
        let camera = cameraObject.withLock { object in
            defer { object = nil }
            return object
        }
        camera?.source.freeze(old.cameraServices(of: before).map { service($0.iid, view) })
    }
}
