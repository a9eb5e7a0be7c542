package import Foundation
package import HAPCatalog

/// Renames a service in the home. The device itself keeps its name.
package struct RenameService: HomeRequest, Codable {
    /// The accessory.
    package var accessory: UUID
    /// The service's instance ID.
    package var iid: UInt64
    /// The new name.
    package var name: String

    /// Creates a request.
    package init(accessory: UUID, iid: UInt64, name: String) {
        self.accessory = accessory
        self.iid = iid
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.renameService(accessory: accessory, iid: iid, name: name)
    }
}

/// Sets the type of service that a switch, an outlet or a contact sensor represents.
package struct SetAssociatedType: HomeRequest, Codable {
    /// The type, or `nil` for its own.
    package var type: HAPType?
    /// The accessory.
    package var accessory: UUID
    /// The service's instance ID.
    package var iid: UInt64

    /// Creates a request.
    package init(_ type: HAPType?, accessory: UUID, iid: UInt64) {
        self.type = type
        self.accessory = accessory
        self.iid = iid
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setAssociatedType(type, accessory: accessory, iid: iid)
    }
}

/// Adds a service group without services.
package struct AddServiceGroup: NamedAddition {
    /// The ID of the new service group, which the hub chooses.
    package var id: UUID?
    /// The name of the new service group, unique in the home.
    package var name: String

    private enum CodingKeys: String, CodingKey {
        case name
    }

    /// Creates a request.
    package init(id: UUID? = nil, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addServiceGroup(id ?? UUID(), name: name)
    }
}

/// Removes a service group. Its services remain.
package struct RemoveServiceGroup: ItemRequest {
    /// The service group.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeServiceGroup(id)
    }
}

/// Renames a service group.
package struct RenameServiceGroup: RenameRequest {
    /// The service group.
    package var id: UUID
    /// The new name, unique in the home.
    package var name: String

    /// Creates a request.
    package init(_ id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.renameServiceGroup(id, name: name)
    }
}

/// Adds a service to a service group.
package struct AddServiceToGroup: HomeRequest, Codable {
    /// The service.
    package var service: ServiceIdentity
    /// The service group.
    package var group: UUID

    /// Creates a request.
    package init(_ service: ServiceIdentity, group: UUID) {
        self.service = service
        self.group = group
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addService(service, toGroup: group)
    }
}

/// Removes a service from a service group, even one that its accessory currently lacks.
package struct RemoveServiceFromGroup: HomeRequest, Codable {
    /// The service.
    package var service: ServiceIdentity
    /// The service group.
    package var group: UUID

    /// Creates a request.
    package init(_ service: ServiceIdentity, group: UUID) {
        self.service = service
        self.group = group
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeService(service, fromGroup: group)
    }
}
