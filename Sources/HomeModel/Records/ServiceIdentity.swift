package import Foundation

/// Names a service for good: whatever instance id firmware gives it, its identity stays.
package struct ServiceIdentity: Hashable, Sendable, Codable {
    /// The accessory.
    package var accessory: UUID
    /// The service, as ``Home/serviceID(of:in:)`` has it.
    package var service: UUID

    /// Names a service.
    package init(accessory: UUID, service: UUID) {
        self.accessory = accessory
        self.service = service
    }
}
