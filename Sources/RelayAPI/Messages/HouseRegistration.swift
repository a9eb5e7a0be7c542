package import HomeIdentity

/// The body of a request to register a house, or to change its owners.
package struct HouseRegistration: Hashable, Sendable, Codable {
    /// The keys that may write, the caller's among them.
    package var owners: [PublicKey]

    /// Creates the body.
    package init(owners: [PublicKey]) {
        self.owners = owners
    }

    /// Throws if there are no owners, too many, or not the caller.
    package func check(caller: PublicKey) throws(RelayError) {
        guard (1...RelayLimits.ownersPerHouse).contains(owners.count), Set(owners).count == owners.count else {
            throw .malformed("A house has 1 to \(RelayLimits.ownersPerHouse) different owners.")
        }
        guard owners.contains(caller) else { throw .malformed("The owners must include the key of the session.") }
    }
}
