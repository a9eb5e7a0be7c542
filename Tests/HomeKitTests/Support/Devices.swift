import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// Accessories as their servers describe them.
enum Devices {
    static func lamp(_ name: String, id: UUID = UUID(), aid: UInt64 = 1) -> AccessoryCandidate {
        candidate(name, id: id, aid: aid, category: aid == 1 ? .lightbulb : nil, services: [lampService()])
    }

    static func bridge(_ name: String, id: UUID = UUID()) -> AccessoryCandidate {
        candidate(name, id: id, aid: 1, category: .bridge, services: [])
    }

    static func candidate(
        _ name: String,
        id: UUID = UUID(),
        aid: UInt64 = 1,
        category: AccessoryCategory?,
        services: [ServiceShape],
        firmware: String = "1.0"
    ) -> AccessoryCandidate {
        AccessoryCandidate(
            id: id,
            aid: aid,
            reportedName: name,
            category: category,
            information: AccessoryInformation(
                manufacturer: "Maker",
                model: "Model",
                serialNumber: "1",
                firmwareRevision: firmware
            ),
            services: [information] + services
        )
    }

    static let information = ServiceShape(
        iid: 1,
        type: HAPType.Service.accessoryInformation,
        characteristics: [characteristic(2, HAPType.Characteristic.identify)]
    )

    /// A lamp with a custom fade rate. Its instance IDs start at `first`.
    static func lampService(first: UInt64 = 10) -> ServiceShape {
        ServiceShape(
            iid: first,
            type: HAPType.Service.lightbulb,
            reportedName: "Light",
            isPrimary: true,
            characteristics: [
                characteristic(first + 1, HAPType.Characteristic.on),
                characteristic(first + 2, HAPType.Characteristic.brightness),
                CharacteristicShape(
                    iid: first + 3,
                    type: fadeRate,
                    permissions: [.read, .write],
                    metadata: CharacteristicMetadata(
                        format: .float,
                        minValue: .double(0.5),
                        maxValue: .double(10),
                        manufacturerDescription: "Fade Rate"
                    )
                ),
                CharacteristicShape(
                    iid: first + 4,
                    type: label,
                    permissions: [.read, .write],
                    metadata: CharacteristicMetadata(format: .string, maxLength: 8)
                ),
                CharacteristicShape(
                    iid: first + 5,
                    type: secret,
                    permissions: [.read, .write, .additionalAuthorization],
                    metadata: CharacteristicMetadata(format: .bool)
                ),
            ]
        )
    }

    static let switchService = ServiceShape(
        iid: 40,
        type: HAPType.Service.switch,
        reportedName: "Wall Switch",
        characteristics: [characteristic(41, HAPType.Characteristic.on)]
    )

    static let button = ServiceShape(
        iid: 30,
        type: HAPType.Service.statelessProgrammableSwitch,
        characteristics: [characteristic(31, HAPType.Characteristic.programmableSwitchEvent)]
    )

    /// The services of a camera with all features, including two streams.
    static let cameraServices = [
        ServiceShape(iid: 100, type: HAPType.Service.cameraRTPStreamManagement, characteristics: []),
        ServiceShape(iid: 110, type: HAPType.Service.cameraRTPStreamManagement, characteristics: []),
        ServiceShape(
            iid: 120,
            type: HAPType.Service.cameraControl,
            characteristics: [
                characteristic(121, HAPType.Characteristic.nightVision),
                characteristic(122, HAPType.Characteristic.currentHorizontalTiltAngle),
                characteristic(123, HAPType.Characteristic.targetHorizontalTiltAngle),
                characteristic(124, HAPType.Characteristic.currentVerticalTiltAngle),
                characteristic(125, HAPType.Characteristic.targetVerticalTiltAngle),
                characteristic(126, HAPType.Characteristic.opticalZoom),
                characteristic(127, HAPType.Characteristic.digitalZoom),
                characteristic(128, HAPType.Characteristic.imageRotation),
                characteristic(129, HAPType.Characteristic.imageMirroring),
            ]
        ),
        audioService(130, HAPType.Service.microphone),
        audioService(140, HAPType.Service.speaker),
    ]

    private static func audioService(_ iid: UInt64, _ type: HAPType) -> ServiceShape {
        ServiceShape(
            iid: iid,
            type: type,
            characteristics: [
                characteristic(iid + 1, HAPType.Characteristic.mute),
                characteristic(iid + 2, HAPType.Characteristic.volume),
            ]
        )
    }

    static let fadeRate = HAPType(uuid: 0x7E53_6242_341C_4862_BE90_272C_E15B_D633)
    static let label = HAPType(uuid: 0x7E53_6242_341C_4862_BE90_272C_E15B_D634)

    static let secret = HAPType(uuid: 0x7E53_6242_341C_4862_BE90_272C_E15B_D635)

    static func characteristic(_ iid: UInt64, _ type: HAPType) -> CharacteristicShape {
        let definition = CharacteristicDefinition.of(type)
        return CharacteristicShape(
            iid: iid,
            type: type,
            permissions: definition?.permissions ?? [],
            metadata: definition?.metadata ?? CharacteristicMetadata(format: .bool)
        )
    }
}
