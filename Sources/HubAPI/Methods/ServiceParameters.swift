public import Foundation
public import HAPCatalog
public import HomeModel

/// Says what a switch, an outlet or a contact sensor belongs to.
public struct SetAssociatedType: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The accessory.
    public var accessory: UUID
    /// The service's instance id.
    public var iid: UInt64
    /// The type of service that it counts as; nil for its own.
    public var type: HAPType?

    /// Makes the parameters.
    public init(home: UUID, accessory: UUID, iid: UInt64, type: HAPType?) {
        self.home = home
        self.accessory = accessory
        self.iid = iid
        self.type = type
    }
}

/// A service's place in a service group.
public struct ServiceGroupMembership: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The service group.
    public var group: UUID
    /// The service.
    public var service: ServiceIdentity

    /// Makes the parameters.
    public init(home: UUID, group: UUID, service: ServiceIdentity) {
        self.home = home
        self.group = group
        self.service = service
    }
}
