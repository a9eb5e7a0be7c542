import Foundation
import HAP
import HAPCatalog
import HomeModel

extension AccessoryCandidate {
    /// Creates a candidate from its entry in the server's attribute database.
    ///
    /// - Parameters:
    ///   - attributes: The accessory's entry in `/accessories`.
    ///   - category: The category that the server advertises, or `nil` for a bridged accessory.
    ///   - id: The ID that the accessory gets if it is new to the home.
    init(_ attributes: AccessoryAttributes, category: AccessoryCategory?, id: UUID) {
        let information = attributes.services.first { $0.type == HAPType.Service.accessoryInformation }
        func text(_ type: HAPType) -> String? {
            guard case .string(let text)? = information?.characteristics.first(where: { $0.type == type })?.value
            else { return nil }
            return text
        }
        self.init(
            id: id,
            aid: attributes.aid,
            reportedName: text(HAPType.Characteristic.name) ?? "",
            category: category,
            information: AccessoryInformation(
                manufacturer: text(HAPType.Characteristic.manufacturer),
                model: text(HAPType.Characteristic.model),
                serialNumber: text(HAPType.Characteristic.serialNumber),
                firmwareRevision: text(HAPType.Characteristic.firmwareRevision)
            ),
            services: attributes.services.map(ServiceShape.init)
        )
    }
}

extension ServiceShape {
    init(_ service: ServiceAttributes) {
        let isInformation = service.type == HAPType.Service.accessoryInformation
        let name = service.characteristics.first { $0.type == HAPType.Characteristic.name }?.value
        var reportedName: String?
        if case .string(let text)? = name, !isInformation, !text.isEmpty { reportedName = text }
        self.init(
            iid: service.iid,
            type: service.type,
            reportedName: reportedName,
            isPrimary: service.isPrimary,
            isHidden: service.isHidden,
            linked: service.linked,
            characteristics: service.characteristics.map(CharacteristicShape.init)
        )
    }
}

extension CharacteristicShape {
    init(_ characteristic: CharacteristicAttributes) {
        self.init(
            iid: characteristic.iid,
            type: characteristic.type,
            permissions: characteristic.permissions,
            metadata: characteristic.metadata
        )
    }
}
