package import Foundation
import HAPCatalog

extension Home {
    /// Returns the services that make an accessory a camera, in its order; empty if the accessory has no stream
    /// management.
    package func cameraServices(of accessory: AccessoryRecord) -> [ServiceShape] {
        let services = services(of: accessory).filter { Self.cameraTypes.contains($0.type) }
        return services.contains { $0.type == HAPType.Service.cameraRTPStreamManagement } ? services : []
    }

    /// Returns the ID of an accessory's camera for apps: stable, and different from the IDs of its services.
    package static func cameraID(of accessory: UUID) -> UUID { UUID(nameSpace: accessory, name: "camera") }

    private static let cameraTypes: Set<HAPType> = [
        HAPType.Service.cameraRTPStreamManagement, HAPType.Service.cameraControl, HAPType.Service.cameraOperatingMode,
        HAPType.Service.cameraRecordingManagement, HAPType.Service.microphone, HAPType.Service.speaker,
    ]
}
