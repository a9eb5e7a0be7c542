package import Foundation
package import HAPCatalog

/// An accessory as its server describes it, about to become part of the home.
package struct AccessoryCandidate: Hashable, Sendable {
    /// The identity that it will have if it is new to the home.
    package var id: UUID
    /// The HAP accessory instance id.
    package var aid: UInt64
    /// The name that it reports; of any length and content.
    package var reportedName: String
    /// The category that its server advertises, for the primary accessory; nil for those behind a bridge.
    package var category: AccessoryCategory?
    /// Maker's data.
    package var information: AccessoryInformation
    /// The services in its order.
    package var services: [ServiceShape]

    /// Makes a candidate.
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
