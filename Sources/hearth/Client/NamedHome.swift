import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// A home with the user's name for it, and its things by the names that people use.
struct NamedHome {
    /// What the user calls the home.
    var name: String
    /// The home.
    var home: Home

    /// A room of that name; “Default Room” is the home's default room.
    func room(_ name: String) throws(CommandFailure) -> UUID {
        let rooms = home.rooms.map { ($0.name, $0.id, $0.id) }
        return try NameLookup("room", rooms + [(Home.defaultRoomName, home.defaultRoom, home.defaultRoom)]).find(name)
    }

    /// A zone of that name.
    func zone(_ name: String) throws(CommandFailure) -> ZoneRecord {
        try NameLookup("zone", home.zones.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// An accessory of that name.
    func accessory(_ name: String) throws(CommandFailure) -> AccessoryRecord {
        try NameLookup("accessory", home.accessories.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// A service of that name, of those that have a name of their own.
    func service(_ name: String) throws(CommandFailure) -> NamedService {
        try NameLookup("service", namedServices.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// A service group of that name.
    func serviceGroup(_ name: String) throws(CommandFailure) -> ServiceGroupRecord {
        try NameLookup("group", home.serviceGroups.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// A scene of that name; those that automations own have none.
    func scene(_ name: String) throws(CommandFailure) -> ActionSetRecord {
        try NameLookup("scene", home.actionSets.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// An automation of that name.
    func automation(_ name: String) throws(CommandFailure) -> TriggerRecord {
        try NameLookup("automation", home.triggers.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// A person of that name.
    func user(_ name: String) throws(CommandFailure) -> UserRecord {
        try NameLookup("person", home.users.map { ($0.name, $0.id, $0) }).find(name)
    }

    /// A characteristic of an accessory or a service, and the identity under which it is kept.
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

    /// What `get` and `set` name: an accessory with its services, or one service.
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

    /// The services that people see, with their names.
    var namedServices: [NamedService] {
        home.accessories.flatMap { record in
            home.services(of: record).filter(\.isUserFacing).map { NamedService(accessory: record, shape: $0) }
        }
    }
}

/// A service and the accessory that it belongs to.
struct NamedService {
    var accessory: AccessoryRecord
    var shape: ServiceShape

    var name: String { Home.name(of: shape, in: accessory) }
    var id: UUID { Home.serviceID(of: shape.iid, in: accessory) }
    /// The identity under which the service is kept in groups.
    var identity: ServiceIdentity { ServiceIdentity(accessory: accessory.id, service: id) }
}

/// What a command acts on.
struct Subject {
    var accessory: AccessoryRecord
    var services: [ServiceShape]

    /// The characteristics of a name, short or long type; of several, the one in the primary or first service.
    func characteristic(_ name: String) throws(CommandFailure) -> CharacteristicShape {
        let type = CharacteristicDefinition.named(name)?.type ?? HAPType(name)
        let ordered = services.filter(\.isPrimary) + services.filter { !$0.isPrimary }
        if let type, let match = ordered.flatMap(\.characteristics).first(where: { $0.type == type }) { return match }
        let names = services.filter(\.isUserFacing).flatMap(\.characteristics).map(\.displayName)
        let known = Set(names).sorted().joined(separator: ", ")
        throw CommandFailure(
            "noSuchCharacteristic",
            "“\(accessory.name)” has no characteristic “\(name)”. It has \(known)."
        )
    }

    /// Names a characteristic for the hub.
    func reference(_ characteristic: CharacteristicShape) -> CharacteristicReference {
        CharacteristicReference(accessory: accessory.id, iid: characteristic.iid)
    }
}

extension ServiceShape {
    /// Whether people use the service, rather than the system.
    var isUserFacing: Bool {
        !isHidden && type != HAPType.Service.accessoryInformation && type != HAPType.Service.protocolInformation
    }

    /// The service's type as people write it.
    var displayName: String { type.serviceDisplayName }
}

extension HAPType {
    /// A type of service as people write it.
    var serviceDisplayName: String { ServiceDefinition.of(self)?.identifier ?? shortForm }
}

extension CharacteristicShape {
    /// The characteristic's type as people write it.
    var displayName: String { CharacteristicDefinition.of(type)?.identifier ?? type.shortForm }
}
