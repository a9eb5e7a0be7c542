import Foundation
import HomeModel
import Synchronization

extension HMAccessory {
    /// The accessory's camera profile, or `nil` if it isn't a camera.
    var cameraProfile: HMCameraProfile? {
        read { home, record in
            home.cameraServices(of: record).isEmpty ? nil : camera()
        }
    }

    /// The services that make the accessory a camera. Empty if it isn't one.
    var cameraServices: [HMService] {
        guard let homeReference else { return [] }
        return read { home, record in
            home.cameraServices(of: record).map { service($0.iid, homeReference) }
        } ?? []
    }

    /// Returns the accessory's camera profile. It may be called with the hub's state locked.
    func camera() -> HMCameraProfile {
        cameraObject.withLock { object in
            if let object { return object }
            let camera = HMCameraProfile(of: self)
            object = camera
            return camera
        }
    }

    /// Releases the camera profile if the accessory is no longer a camera; the profile keeps its last services. Call
    /// this with the hub's state locked, before the services are renumbered.
    func followCamera(from before: AccessoryRecord, to after: AccessoryRecord, _ old: Home, _ new: Home) {
        guard let homeReference, new.cameraServices(of: after).isEmpty else { return }
        let camera = cameraObject.withLock { object in
            defer { object = nil }
            return object
        }
        camera?.source.freeze(old.cameraServices(of: before).map { service($0.iid, homeReference) })
    }
}
