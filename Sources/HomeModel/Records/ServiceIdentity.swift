package import Foundation

/// A permanent reference to a service, which stays valid if firmware changes the instance ID.
package struct ServiceIdentity: Hashable, Sendable, Codable {
    /// The accessory.
    package var accessory: UUID
    /// The service's ID, as ``Home/serviceID(of:in:)`` returns it.
    package var service: UUID

    /// Creates a reference to a service.
    package init(accessory: UUID, service: UUID) {
        self.accessory = accessory
        self.service = service
    }
}
