package import Foundation

extension HomeError {
    /// Something that the reason of an error names.
    package struct Subject: Hashable, Sendable {
        /// The kind of thing.
        package enum Kind: String, Sendable, CaseIterable {
            case home, room, zone, accessory, service, characteristic, group, scene, trigger, user
        }

        /// The kind.
        package var kind: Kind
        /// The ID; of a service or characteristic, that of its accessory. A user has none here, because clients know users
        /// by other IDs than the rules do.
        package var id: UUID?
        /// The instance ID of a service or characteristic.
        package var iid: UInt64?
        /// The name, if there is one to show.
        package var name: String?

        private init(_ kind: Kind, _ id: UUID?, iid: UInt64? = nil, _ name: String?) {
            self.kind = kind
            self.id = id
            self.iid = iid
            self.name = name
        }

        package static func home(_ id: UUID, _ name: String? = nil) -> Subject { Subject(.home, id, name) }
        static func room(_ id: UUID, _ name: String? = nil) -> Subject { Subject(.room, id, name) }
        static func zone(_ id: UUID, _ name: String? = nil) -> Subject { Subject(.zone, id, name) }
        static func group(_ id: UUID, _ name: String? = nil) -> Subject { Subject(.group, id, name) }
        package static func accessory(_ id: UUID, _ name: String? = nil) -> Subject { Subject(.accessory, id, name) }
        static func user(_ name: String) -> Subject { Subject(.user, nil, name) }

        package static func scene(_ id: UUID, _ name: String? = nil) -> Subject { Subject(.scene, id, name) }
        package static func trigger(_ id: UUID, _ name: String? = nil) -> Subject { Subject(.trigger, id, name) }

        static func service(_ iid: UInt64?, of accessory: UUID, _ name: String? = nil) -> Subject {
            Subject(.service, accessory, iid: iid, name)
        }

        package static func characteristic(_ iid: UInt64?, of accessory: UUID, _ name: String? = nil) -> Subject {
            Subject(.characteristic, accessory, iid: iid, name)
        }
    }
}

extension Home {
    /// Returns what holds a name, for an error.
    func subject(of holder: NameHolder) -> HomeError.Subject {
        switch holder {
        case .defaultRoom: .room(defaultRoom, Self.defaultRoomName)
        case .room(let id): .room(id, rooms[id: id]?.name)
        case .zone(let id): .zone(id, zones[id: id]?.name)
        case .accessory(let id): .accessory(id, accessories[id: id]?.name)
        case .service(let accessory, let iid):
            .service(iid, of: accessory, accessories[id: accessory]?.serviceNames[iid])
        case .serviceGroup(let id): .group(id, serviceGroups[id: id]?.name)
        case .actionSet(let id): .scene(id, actionSet(id)?.name)
        case .trigger(let id): .trigger(id, triggers[id: id]?.name)
        }
    }
}
