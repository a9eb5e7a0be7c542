package import Foundation
package import HAPCatalog
package import HomeModel

/// Says what a switch, an outlet or a contact sensor belongs to.
package struct SetAssociatedType: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The accessory.
    package var accessory: UUID
    /// The service's instance id.
    package var iid: UInt64
    /// The type of service that it counts as; nil for its own.
    package var type: HAPType?

    /// Makes the parameters.
    package init(home: UUID, accessory: UUID, iid: UInt64, type: HAPType?) {
        self.home = home
        self.accessory = accessory
        self.iid = iid
        self.type = type
    }
}

/// A service's place in a service group.
package struct ServiceGroupMembership: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The service group.
    package var group: UUID
    /// The service.
    package var service: ServiceIdentity

    /// Makes the parameters.
    package init(home: UUID, group: UUID, service: ServiceIdentity) {
        self.home = home
        self.group = group
        self.service = service
    }
}
