/// An accessory that an ``AccessoryServer`` hosts: a standalone one, a bridge, or one behind a bridge.
public struct HostedAccessory: Hashable, Sendable {
    /// By what the server knows the accessory again after a restart, so that it keeps its aid and iids: unique among
    /// the accessories of the server, and never shown. The first accessory of a server is known by its place instead.
    public var key: String
    /// Who made it and what it is.
    public var information: AccessoryInformation
    /// The services, without Accessory Information and Protocol Information: the server adds these.
    public var services: [HostedService]
    /// The IDs that it has to have; `nil` leaves them all to the server.
    public var identifiers: PreassignedIdentifiers?

    /// Creates an accessory.
    public init(
        key: String,
        information: AccessoryInformation,
        services: [HostedService],
        identifiers: PreassignedIdentifiers? = nil
    ) {
        self.key = key
        self.information = information
        self.services = services
        self.identifiers = identifiers
    }
}
