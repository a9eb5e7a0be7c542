package import Foundation
import HAPCatalog

extension Home {
    /// The services that make an accessory a camera, in its order; none of an accessory that sends no pictures, which is one
    /// without stream management.
    package func cameraServices(of accessory: AccessoryRecord) -> [ServiceShape] {
        let services = services(of: accessory).filter { Self.cameraTypes.contains($0.type) }
        return services.contains { $0.type == HAPType.Service.cameraRTPStreamManagement } ? services : []
    }

    /// The identity of an accessory's camera as apps see it: always the same, and no service's.
    package static func cameraID(of accessory: UUID) -> UUID { UUID(nameSpace: accessory, name: "camera") }

    private static let cameraTypes: Set<HAPType> = [
        HAPType.Service.cameraRTPStreamManagement, HAPType.Service.cameraControl, HAPType.Service.cameraOperatingMode,
        HAPType.Service.cameraRecordingManagement, HAPType.Service.microphone, HAPType.Service.speaker,
    ]
}
