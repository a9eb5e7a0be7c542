package import HomeIdentity
package import SealedFeed

/// A hub's house at a relay: what holds its feeds. Each request can be repeated without harm.
package protocol RelayHouse: FeedRelay {
    /// Registers the house, unless it exists.
    ///
    /// - Throws: `refused` if the relay doesn't take it.
    func register() async throws(FeedRelayError)

    /// Makes a feed, unless it exists. A relay that doesn't know the house gets it first.
    func makeFeed(_ feed: FeedID) async throws(FeedRelayError)

    /// Ends a feed.
    ///
    /// - Throws: `unknown` if there is none.
    func removeFeed(_ feed: FeedID) async throws(FeedRelayError)

    /// Returns the entries of a feed from its last base on, in order.
    func currentEntries(of address: FeedAddress) async throws(FeedRelayError) -> [[UInt8]]

    /// Stores a piece of the vault.
    ///
    /// - Parameters:
    ///   - number: The number of the piece, from 1.
    ///   - count: The number of pieces of this version.
    ///   - version: The number of the version, which is larger than those before.
    func putVault(_ piece: [UInt8], number: Int, of count: Int, version: Int) async throws(FeedRelayError)

    /// Removes the vault, if there is one.
    ///
    /// - Throws: `unknown` if the relay doesn't know the house.
    func removeVault() async throws(FeedRelayError)

    /// Replaces the keys that may read a feed. Once this returns, those that are gone read nothing more.
    ///
    /// - Parameter sequence: The number of the list, which is larger than those of all lists before.
    /// - Throws: `outdated` if the relay has a list with a larger number.
    func setReaders(_ readers: Set<FeedAccess>, sequence: Int, of feed: FeedID) async throws(FeedRelayError)
}

/// What connects to relays.
///
/// - Parameters:
///   - place: The house.
///   - owner: The key by which the relay knows the house's owner.
/// - Throws: `refused` if the address isn't one of a relay. Nothing is connected yet.
package typealias RelayConnector =
    @Sendable (
        _ place: RelayPlace,
        _ owner: IdentityKey
    ) throws(FeedRelayError) -> any RelayHouse

/// Where a hub keeps its feeds.
package struct RelayPlace: Hashable, Sendable, Codable {
    /// The relay's address. Its fragment tells by what the relay is recognized, if it has a certificate of its own.
    package var relay: String
    /// The house.
    package var house: HouseID
    /// The token that the relay's operator gave, with which the house is registered; `nil` for none.
    package var token: String?

    /// Creates a place.
    package init(relay: String, house: HouseID, token: String? = nil) {
        let parts = relay.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        // A path of nothing but a slash is none.
        let url = parts[0].hasSuffix("/") ? parts[0].dropLast() : parts[0]
        self.relay = url + (parts.count > 1 ? "#" + parts[1] : "")
        self.house = house
        self.token = token
    }

    /// Returns whether another place is at the same relay, whatever the relay is recognized by.
    func isAtRelay(of other: RelayPlace) -> Bool {
        relay.prefix { $0 != "#" } == other.relay.prefix { $0 != "#" }
    }

    /// Returns the key of the house's owner. It follows from the hub's key, and two relays can't tell that two houses have the
    /// same owner.
    package func owner(of hub: IdentityKey) -> IdentityKey { hub.owner(of: house) }
}

/// A device's access to a feed at a relay.
package struct FeedAccess: Hashable, Sendable, Codable {
    /// The key by which the relay knows the device.
    package var key: PublicKey
    /// Whether the device may open a pipe to the hub.
    package var hasPipe: Bool
    /// Whether the device may read the house's vault.
    package var hasVault: Bool

    /// Creates the access.
    package init(_ key: PublicKey, hasPipe: Bool = false, hasVault: Bool = false) {
        self.key = key
        self.hasPipe = hasPipe
        self.hasVault = hasVault
    }
}
