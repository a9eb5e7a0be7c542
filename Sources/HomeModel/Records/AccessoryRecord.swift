package import Foundation
package import HAPCatalog

/// An accessory in the home: a standalone one, a bridge, or one behind a bridge.
///
/// What all accessories of one make have alike (services, characteristics, their metadata) is a ``ShapeRecord`` that
/// many accessories share; here is only what is this accessory's own.
package struct AccessoryRecord: Hashable, Sendable, Identifiable {
    /// The accessory's identity; random, never reused, kept when the accessory is paired again.
    package var id: UUID
    /// The name in the home.
    package var name: String
    /// What the accessory called itself when it was added, before it was made a valid and unique name.
    package var reportedName: String
    /// The room it is in: one of the home's rooms or the default room.
    package var room: UUID
    /// The HAP device id (`XX:XX:XX:XX:XX:XX`) of the accessory server that it is reached through.
    package var server: String
    /// The HAP accessory instance id behind that server; 1 is the server's primary accessory.
    package var aid: UInt64
    /// The bridge that it is behind; nil for standalone accessories and for bridges.
    package var bridge: UUID?
    /// Whether other accessories are behind this one.
    package var isBridge: Bool
    /// The HAP category that the server advertises. An accessory behind a bridge has the one its services suggest.
    package var category: AccessoryCategory
    /// Maker's data from the Accessory Information service.
    package var information: AccessoryInformation
    /// The shape of the accessory's services.
    package var shape: ShapeID
    /// Names that people gave services, by service iid. A service that is not in here has the name it reports, if any.
    package var serviceNames: [UInt64: String]
    /// What people said that switches, outlets and contact sensors belong to, by service iid: the type of service that
    /// they count as.
    package var associatedTypes: [UInt64: HAPType]
    /// Identities of services and characteristics that are not the derived ones, by iid (firmware that renumbers).
    package var fixedIDs: [UInt64: UUID]
    /// Whether the accessory vanished from its server. It keeps its identity, name and room for its return.
    package var isAbsent: Bool
    /// Whether a person shut the accessory out: the hub has nothing to do with it until it is unblocked. All accessories
    /// of one server are blocked, or none.
    package var isBlocked: Bool

    /// Makes the record of an accessory.
    package init(
        id: UUID,
        name: String,
        reportedName: String,
        room: UUID,
        server: String,
        aid: UInt64,
        bridge: UUID? = nil,
        isBridge: Bool = false,
        category: AccessoryCategory,
        information: AccessoryInformation,
        shape: ShapeID,
        serviceNames: [UInt64: String] = [:],
        associatedTypes: [UInt64: HAPType] = [:],
        fixedIDs: [UInt64: UUID] = [:],
        isAbsent: Bool = false,
        isBlocked: Bool = false
    ) {
        self.id = id
        self.name = name
        self.reportedName = reportedName
        self.room = room
        self.server = server
        self.aid = aid
        self.bridge = bridge
        self.isBridge = isBridge
        self.category = category
        self.information = information
        self.shape = shape
        self.serviceNames = serviceNames
        self.associatedTypes = associatedTypes
        self.fixedIDs = fixedIDs
        self.isAbsent = isAbsent
        self.isBlocked = isBlocked
    }
}
