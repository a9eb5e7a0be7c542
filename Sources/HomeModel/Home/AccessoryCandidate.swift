package import Foundation
package import HAPCatalog

/// An accessory as its server describes it, before it is part of the home.
package struct AccessoryCandidate: Hashable, Sendable {
    /// The ID for the accessory if it is new to the home.
    package var id: UUID
    /// The accessory's HAP instance ID.
    package var aid: UInt64
    /// The reported name, with any length and content.
    package var reportedName: String
    /// The category that the server advertises, for the primary accessory; `nil` for bridged accessories.
    package var category: AccessoryCategory?
    /// The manufacturer's information.
    package var information: AccessoryInformation
    /// The services in the accessory's order.
    package var services: [ServiceShape]

    /// Creates a candidate.
    package init(
        id: UUID,
        aid: UInt64,
        reportedName: String,
        category: AccessoryCategory?,
        information: AccessoryInformation,
        services: [ServiceShape]
    ) {
        self.id = id
        self.aid = aid
        self.reportedName = reportedName
        self.category = category
        self.information = information
        self.services = services
    }
}
