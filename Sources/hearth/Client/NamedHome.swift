import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// A home with the user's name for it, and lookups of its objects by name.
struct NamedHome {
    /// The user's name for the home.
    var name: String
    var home: Home

    /// Returns the ID of the room with a name. “Default Room” is the home's default room.
    func room(_ name: String) throws(CommandFailure) -> UUID {
        let rooms = home.rooms.map { ($0.name, $0.id, $0.id) }
        return try NameLookup("room", rooms + [(Home.defaultRoomName, home.defaultRoom, home.defaultRoom)]).find(name)
    }

    /// Returns the zone with a name.
    func zone(_ name: String) throws(CommandFailure) -> ZoneRecord {
        try NameLookup("zone", home.zones.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// Returns the accessory with a name.
    func accessory(_ name: String) throws(CommandFailure) -> AccessoryRecord {
        try NameLookup("accessory", home.accessories.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// Returns the user-facing service with a name.
    func service(_ name: String) throws(CommandFailure) -> NamedService {
        try NameLookup("service", namedServices.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// Returns the service group with a name.
    func serviceGroup(_ name: String) throws(CommandFailure) -> ServiceGroupRecord {
        try NameLookup("group", home.serviceGroups.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// Returns the scene with a name. The scenes that automations own have no names.
    func scene(_ name: String) throws(CommandFailure) -> ActionSetRecord {
        try NameLookup("scene", home.actionSets.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// Returns the automation with a name.
    func automation(_ name: String) throws(CommandFailure) -> TriggerRecord {
        try NameLookup("automation", home.triggers.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// Returns the user with a name.
    func user(_ name: String) throws(CommandFailure) -> UserRecord {
        try NameLookup("user", home.users.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// Returns a characteristic of an accessory or a service, and its identity in the home's records.
    func characteristic(
        _ characteristic: String,
        of name: String
    ) throws(CommandFailure) -> (CharacteristicShape, CharacteristicIdentity) {
        let subject = try subject(name)
        let shape = try subject.characteristic(characteristic)
        let identity = CharacteristicIdentity(
            accessory: subject.accessory.id,
            characteristic: Home.characteristicID(of: shape.iid, in: subject.accessory),
            type: shape.type
        )
        return (shape, identity)
    }

    /// Returns the accessory with all its services, or the single service, that has a name.
    func subject(_ name: String) throws(CommandFailure) -> Subject {
        let accessories = home.accessories.map { record in
            (record.name, record.id, Subject(accessory: record, services: home.services(of: record)))
        }
        let taken = Set(accessories.map { FoldedName($0.0) })
        let services = namedServices.filter { !taken.contains(FoldedName($0.name)) }.map { service in
            (service.name, service.id, Subject(accessory: service.accessory, services: [service.shape]))
        }
        return try NameLookup("accessory or service", accessories + services).find(name)
    }

    /// The user-facing services, with their names.
    var namedServices: [NamedService] {
        home.accessories.flatMap { record in
            home.services(of: record).filter(\.isUserFacing).map { NamedService(accessory: record, shape: $0) }
        }
    }
}

/// A service and its accessory.
struct NamedService {
    var accessory: AccessoryRecord
    var shape: ServiceShape

    var name: String { Home.name(of: shape, in: accessory) }
    var id: UUID { Home.serviceID(of: shape.iid, in: accessory) }
    /// The service's identity in groups.
    var identity: ServiceIdentity { ServiceIdentity(accessory: accessory.id, service: id) }
}

/// The accessory or service that a command acts on.
struct Subject {
    var accessory: AccessoryRecord
    var services: [ServiceShape]

    /// Returns the characteristic with a name, or with a short or long type. If several services have it, the primary
    /// or first service's is returned.
    func characteristic(_ name: String) throws(CommandFailure) -> CharacteristicShape {
        let type = CharacteristicDefinition.named(name)?.type ?? HAPType(name)
        let ordered = services.filter(\.isPrimary) + services.filter { !$0.isPrimary }
        if let type, let match = ordered.flatMap(\.characteristics).first(where: { $0.type == type }) { return match }
        let names = services.filter(\.isUserFacing).flatMap(\.characteristics).map(\.displayName)
        let existing = Set(names).sorted().joined(separator: ", ")
        throw CommandFailure(
            "noSuchCharacteristic",
            "“\(accessory.name)” doesn't have a characteristic “\(name)”. It has \(existing)."
        )
    }

    /// Returns the characteristic's reference in calls to the hub.
    func reference(_ characteristic: CharacteristicShape) -> CharacteristicReference {
        CharacteristicReference(accessory: accessory.id, iid: characteristic.iid)
    }
}

extension ServiceShape {
    /// The service type's name in input and output.
    var displayName: String { type.serviceDisplayName }
}

extension HAPType {
    /// The name of the service type in input and output.
    var serviceDisplayName: String { ServiceDefinition.of(self)?.identifier ?? shortForm }
}

extension CharacteristicShape {
    /// The characteristic type's name in input and output.
    var displayName: String { CharacteristicDefinition.of(type)?.identifier ?? type.shortForm }
}
