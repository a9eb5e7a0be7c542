package import Foundation
package import HomeIdentity

/// What a device stores of a hub that it has joined, its key for that hub included.
package struct StoredHub: Sendable, Codable {
    /// The agent's ID of the hub.
    package var id: UUID
    /// The hub's name.
    package var name: String
    /// The hub's public key, in base64. It is how the hub is known, wherever it is.
    package var key: String
    /// The signed list of the hubs that keep the same homes; `nil` if there is only this one.
    package var hubs: Data?
    /// The seed of the device's own key for this hub.
    package var seed: Data
    /// The device's ID at the hub; `nil` if another device of the person's vouches for this one.
    package var device: UUID?
    /// The name of the person whose device it is.
    package var person: String
    /// The addresses at which the hub was reached, the last one first.
    package var addresses: [String]
    /// When the device joined the hub.
    package var joined: Date
    /// The hub's door at its relay, through which the device came; `nil` for none, or once the hub has given it another way.
    package var door: RelayDoor?

    /// Creates a description.
    package init(
        id: UUID,
        name: String,
        key: String,
        hubs: Data? = nil,
        seed: Data,
        device: UUID?,
        person: String,
        addresses: [String],
        joined: Date,
        door: RelayDoor? = nil
    ) {
        self.door = door
        self.id = id
        self.name = name
        self.key = key
        self.hubs = hubs
        self.seed = seed
        self.device = device
        self.person = person
        self.addresses = addresses
        self.joined = joined
    }

    /// Returns whether a key is that of the hub, or of another hub that keeps its homes.
    func isAtHub(withKey key: String) -> Bool {
        let list = hubs.flatMap { try? SignedHubList(Array($0)) }?.list
        return key == self.key || list?.members.contains { $0.key.base64 == key } == true
    }
}
