public import Foundation

/// Names a service for good: whatever instance id firmware gives it, its identity stays.
public struct ServiceIdentity: Hashable, Sendable, Codable {
    /// The accessory.
    public var accessory: UUID
    /// The service, as ``Home/serviceID(of:in:)`` has it.
    public var service: UUID

    /// Names a service.
    public init(accessory: UUID, service: UUID) {
        self.accessory = accessory
        self.service = service
    }
}
