/// An accessory that an ``AccessoryServer`` hosts: a standalone accessory, a bridge, or a bridged accessory.
public struct HostedAccessory: Hashable, Sendable {
    /// A key that identifies the accessory across restarts, so that it keeps its aid and iids. It must be unique in the
    /// server and is never displayed. The first accessory of a server is identified by its position instead.
    public var key: String
    /// The values of its Accessory Information service.
    public var information: AccessoryInformation
    /// The services, without Accessory Information and Protocol Information, which the server adds.
    public var services: [HostedService]
    /// The IDs that the accessory must have, or `nil` to let the server assign them all.
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
