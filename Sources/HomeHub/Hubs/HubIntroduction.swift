import Foundation
import HAP
import HomeIdentity
import Replication

/// What one hub of the homes tells the other of itself whenever they connect, and when it has changed: the list of hubs that
/// it has, where it listens, by which keys accessories know it, and which accessories it knows by which keys.
///
/// Each hub has pairings of its own. The keys of batches are the only secret in it.
struct HubIntroduction: Hashable, Sendable, Codable {
    /// How accessories of a home know the hub.
    struct Controller: Hashable, Sendable, Codable {
        /// The home.
        var home: UUID
        /// The pairing identifier.
        var pairingID: PairingID
        /// The public key.
        var publicKey: LongTermPublicKey
    }

    /// An accessory server of a home, as the hub has paired it.
    struct Server: Hashable, Sendable, Codable {
        /// The home.
        var home: UUID
        /// The server's device ID.
        var deviceID: DeviceID
        /// The server's public key.
        var publicKey: LongTermPublicKey
    }

    /// The maximum number of servers, of all homes together.
    static let maximumServers = 2_048
    /// The maximum number of addresses.
    static let maximumAddresses = 8

    /// The signed list of hubs; `nil` if the hub has none.
    var list: Data?
    /// That list and those before it, for devices that missed some of them; `nil` if the hub has none.
    var lists: Data?
    /// The keys of batches; `nil` before the hub is one of two.
    var batchKeys: BatchKeys?
    /// The hub's name, by which people tell two hubs apart.
    var name: String?
    /// What the hub is to the house at the relay that votes; `nil` if it knows none.
    var owner: OtherHub.Owner?
    /// The addresses at which the hub listens, the best first. At most ``maximumAddresses``.
    var addresses: [HubAddress]
    /// Its controllers. At most ``ControllerDuties/maximumControllers``.
    var controllers: [Controller]
    /// The servers that it has paired. At most ``maximumServers``.
    var servers: [Server]

    /// Creates an introduction with as much as fits.
    init(
        list: SignedHubList?,
        lists: HubListChain? = nil,
        batchKeys: BatchKeys? = nil,
        name: String? = nil,
        owner: OtherHub.Owner? = nil,
        addresses: [HubAddress],
        controllers: [Controller],
        servers: [Server]
    ) {
        self.list = list.map { Data($0.bytes) }
        self.lists = lists.map { Data($0.bytes) }
        self.batchKeys = batchKeys
        self.name = name
        self.owner = owner
        self.addresses = Array(addresses.prefix(Self.maximumAddresses))
        self.controllers = Array(controllers.prefix(ControllerDuties.maximumControllers))
        self.servers = Array(servers.prefix(Self.maximumServers))
    }

    /// Creates an introduction with nothing but a list, for a hub that isn't in it.
    init(list: Data) {
        self.list = list
        (addresses, controllers, servers) = ([], [], [])
    }

    /// Reads an introduction. Returns `nil` if the bytes aren't one, or if it has too much of something.
    init?(_ bytes: [UInt8]) {
        guard let read = LineJSON.decode(HubIntroduction.self, from: bytes),
            read.addresses.count <= Self.maximumAddresses,
            read.controllers.count <= ControllerDuties.maximumControllers,
            Set(read.controllers.map(\.home)).count == read.controllers.count,
            read.servers.count <= Self.maximumServers,
            Set(read.servers.map(\.deviceID)).count == read.servers.count
        else { return nil }
        self = read
    }

    /// The bytes of the introduction.
    var bytes: [UInt8] { LineJSON.encode(self) }
}
