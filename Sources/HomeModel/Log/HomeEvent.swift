package import Foundation

/// A change of a home with the objects that it is about, as its verb says.
///
/// Only the changes that readers act on have a case. Effects alone tell the rest.
package enum HomeEvent: Hashable, Sendable {
    case roomAdded(UUID)
    /// The accessories moved to the default room.
    case roomRemoved(UUID, accessories: [UUID])
    case roomRenamed(UUID)
    case zoneAdded(UUID)
    case zoneRemoved(UUID)
    case zoneRenamed(UUID)
    case zoneRoomAdded(UUID, zone: UUID)
    case zoneRoomRemoved(UUID, zone: UUID)
    case accessoriesAdded([UUID])
    case accessoriesRemoved([UUID])
    case accessoriesUnblocked([UUID])
    case accessoriesUpdated([UUID])
    case accessoryRenamed(UUID)
    case accessoryMoved(UUID, room: UUID)
    case serviceRenamed(ServiceIdentity)
    case associatedTypeChanged(ServiceIdentity)
    case serviceGroupAdded(UUID)
    case serviceGroupRemoved(UUID)
    case serviceGroupRenamed(UUID)
    case serviceGroupServiceAdded(ServiceIdentity, group: UUID)
    case serviceGroupServiceRemoved(ServiceIdentity, group: UUID)
    case actionSetAdded(UUID)
    case actionSetRemoved(UUID)
    case actionSetRenamed(UUID)
    case actionsChanged(UUID)
    case triggerAdded(UUID)
    case triggerRemoved(UUID)
    case triggerRenamed(UUID)
    case triggerUpdated(UUID)
    case userAdded(UUID)
    case userRemoved(UUID)
    case userRoleChanged(UUID)
    /// ``Home/steps(of:from:to:)`` tells the objects.
    case homeImported
}

extension Change {
    /// The change with its objects, or `nil` if the verb is unknown or names fewer objects than it should.
    package var event: HomeEvent? {
        switch verb {
        case .roomAdded: first.map { .roomAdded($0) }
        case .roomRemoved: first.map { .roomRemoved($0, accessories: Array(subjects.dropFirst())) }
        case .roomRenamed: first.map { .roomRenamed($0) }
        case .zoneAdded: first.map { .zoneAdded($0) }
        case .zoneRemoved: first.map { .zoneRemoved($0) }
        case .zoneRenamed: first.map { .zoneRenamed($0) }
        case .zoneRoomAdded: pair.map { .zoneRoomAdded($1, zone: $0) }
        case .zoneRoomRemoved: pair.map { .zoneRoomRemoved($1, zone: $0) }
        case .accessoriesAdded: .accessoriesAdded(subjects)
        case .accessoriesRemoved: .accessoriesRemoved(subjects)
        case .accessoriesUnblocked: .accessoriesUnblocked(subjects)
        case .accessoriesUpdated: .accessoriesUpdated(subjects)
        case .accessoryRenamed: first.map { .accessoryRenamed($0) }
        case .accessoryMoved: pair.map { .accessoryMoved($0, room: $1) }
        case .serviceRenamed: pair.map { .serviceRenamed(ServiceIdentity(accessory: $0, service: $1)) }
        case .associatedTypeChanged: pair.map { .associatedTypeChanged(ServiceIdentity(accessory: $0, service: $1)) }
        case .serviceGroupAdded: first.map { .serviceGroupAdded($0) }
        case .serviceGroupRemoved: first.map { .serviceGroupRemoved($0) }
        case .serviceGroupRenamed: first.map { .serviceGroupRenamed($0) }
        case .serviceGroupServiceAdded: groupedService.map { .serviceGroupServiceAdded($1, group: $0) }
        case .serviceGroupServiceRemoved: groupedService.map { .serviceGroupServiceRemoved($1, group: $0) }
        case .actionSetAdded: first.map { .actionSetAdded($0) }
        case .actionSetRemoved: first.map { .actionSetRemoved($0) }
        case .actionSetRenamed: first.map { .actionSetRenamed($0) }
        case .actionsChanged: first.map { .actionsChanged($0) }
        case .triggerAdded: first.map { .triggerAdded($0) }
        case .triggerRemoved: first.map { .triggerRemoved($0) }
        case .triggerRenamed: first.map { .triggerRenamed($0) }
        case .triggerUpdated: first.map { .triggerUpdated($0) }
        case .userAdded: first.map { .userAdded($0) }
        case .userRemoved: first.map { .userRemoved($0) }
        case .userRoleChanged: first.map { .userRoleChanged($0) }
        case .homeImported: .homeImported
        default: nil
        }
    }

    private var first: UUID? { subjects.first }

    private var pair: (UUID, UUID)? { subjects.count > 1 ? (subjects[0], subjects[1]) : nil }

    private var groupedService: (UUID, ServiceIdentity)? {
        guard subjects.count > 2 else { return nil }
        return (subjects[0], ServiceIdentity(accessory: subjects[1], service: subjects[2]))
    }
}
