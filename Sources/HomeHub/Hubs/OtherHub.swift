import Foundation
import HomeIdentity

/// What the other hub of the homes has told of itself that stays known while it is away.
struct OtherHub: Hashable, Sendable, Codable {
    /// A hub as an owner of a house at a relay. The key follows from the hub's and the house, so only the hub can tell it.
    struct Owner: Hashable, Sendable, Codable {
        /// The house.
        var house: HouseID
        /// The key by which the relay knows the hub.
        var key: PublicKey
    }

    /// The hub.
    var id: UUID
    /// Its name.
    var name: String
    /// What it is to the house at the relay that votes; `nil` if it knows none.
    var owner: Owner?
}
