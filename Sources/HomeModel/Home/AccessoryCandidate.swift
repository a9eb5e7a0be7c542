public import Foundation
public import HAPCatalog

/// An accessory as its server describes it, about to become part of the home.
public struct AccessoryCandidate: Hashable, Sendable {
    /// The identity that it will have if it is new to the home.
    public var id: UUID
    /// The HAP accessory instance id.
    public var aid: UInt64
    /// The name that it reports; of any length and content.
    public var reportedName: String
    /// The category that its server advertises, for the primary accessory; nil for those behind a bridge.
    public var category: AccessoryCategory?
    /// Maker's data.
    public var information: AccessoryInformation
    /// The services in its order.
    public var services: [ServiceShape]

    /// Makes a candidate.
    public init(
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
