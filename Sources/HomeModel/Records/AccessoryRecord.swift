package import Foundation
package import HAPCatalog

/// An accessory in the home: standalone, a bridge, or bridged.
///
/// The schema that accessories of one model share (services, characteristics, their metadata) is a ``ShapeRecord``.
/// This record has the accessory's own data.
package struct AccessoryRecord: Hashable, Sendable, Identifiable {
    /// The accessory's ID: random, never reused, and kept when the accessory is paired again.
    package var id: UUID
    /// The name in the home.
    package var name: String
    /// The name that the accessory reported when it was added, before it was made valid and unique.
    package var reportedName: String
    /// The accessory's room: one of the home's rooms or the default room.
    package var room: UUID
    /// The HAP device ID (`XX:XX:XX:XX:XX:XX`) of the accessory server.
    package var server: String
    /// The HAP accessory instance ID on that server; 1 is the server's primary accessory.
    package var aid: UInt64
    /// The bridge of a bridged accessory; `nil` for standalone accessories and for bridges.
    package var bridge: UUID?
    /// Whether the accessory is a bridge.
    package var isBridge: Bool
    /// The HAP category that the server advertises. For a bridged accessory, it is derived from the services.
    package var category: AccessoryCategory
    /// The manufacturer's information from the Accessory Information service.
    package var information: AccessoryInformation
    /// The shape of the accessory's services.
    package var shape: ShapeID
    /// The names that users gave services, by service iid. Other services have their reported name, if any.
    package var serviceNames: [UInt64: String]
    /// The types that users associated with switches, outlets and contact sensors, by service iid. The services count
    /// as services of that type.
    package var associatedTypes: [UInt64: HAPType]
    /// The services that users hid from the lists of the home, by iid.
    package var hiddenServices: Set<UInt64>
    /// The services for which clients ask for confirmation before they control them, by iid. Users chose them.
    package var servicesAskingFirst: Set<UInt64>
    /// IDs of services and characteristics that differ from the derived ones, by iid, because firmware renumbered them.
    package var fixedIDs: [UInt64: UUID]
    /// Whether the accessory vanished from its server. It keeps its ID, name and room for its return.
    package var isAbsent: Bool
    /// Whether a user blocked the accessory: the hub doesn't communicate with it until it is unblocked. All accessories
    /// of a server are blocked, or none.
    package var isBlocked: Bool

    /// Creates the record of an accessory.
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
        hiddenServices: Set<UInt64> = [],
        servicesAskingFirst: Set<UInt64> = [],
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
        self.hiddenServices = hiddenServices
        self.servicesAskingFirst = servicesAskingFirst
        self.fixedIDs = fixedIDs
        self.isAbsent = isAbsent
        self.isBlocked = isBlocked
    }
}
