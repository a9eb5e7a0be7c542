package import Foundation
import HAPCatalog

extension Home {
    /// Returns the ID of a service: the stored ID if firmware renumbered it, otherwise a UUIDv5 of accessory and iid.
    package static func serviceID(of iid: UInt64, in accessory: AccessoryRecord) -> UUID {
        identity(of: iid, in: accessory)
    }

    /// Returns the ID of a characteristic: the stored ID if firmware renumbered it, otherwise a UUIDv5 of accessory and
    /// iid. Services and characteristics of an accessory share one range of iids, so all IDs differ.
    package static func characteristicID(of iid: UInt64, in accessory: AccessoryRecord) -> UUID {
        identity(of: iid, in: accessory)
    }

    /// Returns a service's name: the name that a user gave it, otherwise the reported name, otherwise the accessory's
    /// name.
    package static func name(of service: ServiceShape, in accessory: AccessoryRecord) -> String {
        if let name = accessory.serviceNames[service.iid] { return name }
        guard let reported = service.reportedName, !reported.isEmpty else { return accessory.name }
        return reported
    }

    static func identity(of iid: UInt64, in accessory: AccessoryRecord) -> UUID {
        accessory.fixedIDs[iid] ?? UUID(nameSpace: accessory.id, name: String(iid))
    }

    func renameService(accessory id: UUID, iid: UInt64, name: String) throws(HomeError) -> Change? {
        var accessory = try accessory(id)
        guard services(of: accessory).contains(where: { $0.iid == iid }) else {
            throw Self.noService(iid, of: accessory)
        }
        try checkName(name) { $0 == .service(accessory: id, iid: iid) || $0 == .accessory(id) }
        guard accessory.serviceNames[iid] != name else { return nil }
        accessory.serviceNames[iid] = name
        let service = Self.serviceID(of: iid, in: accessory)
        return Change(verb: .serviceRenamed, subjects: [id, service], effects: [.put(.accessory(accessory))])
    }

    func setAssociatedType(_ type: HAPType?, accessory id: UUID, iid: UInt64) throws(HomeError) -> Change? {
        var accessory = try accessory(id)
        guard let service = services(of: accessory).first(where: { $0.iid == iid }) else {
            throw Self.noService(iid, of: accessory)
        }
        guard Self.typesWithAssociation.contains(service.type) else {
            throw HomeError(
                .invalidAssociatedType,
                "Only a switch, an outlet or a contact sensor can have an associated type."
            )
        }
        if let type, ServiceDefinition.of(type) == nil {
            throw HomeError(.invalidAssociatedType, "\(type) is not a service type.")
        }
        guard accessory.associatedTypes[iid] != type else { return nil }
        accessory.associatedTypes[iid] = type
        let identity = Self.serviceID(of: iid, in: accessory)
        return Change(verb: .associatedTypeChanged, subjects: [id, identity], effects: [.put(.accessory(accessory))])
    }

    /// Source: the reference page of `HMService.updateAssociatedServiceType`.
    static let typesWithAssociation: Set<HAPType> = [
        HAPType.Service.switch, HAPType.Service.outlet, HAPType.Service.contactSensor,
    ]
}
