package import Foundation

/// A registration token, as a relay stores it.
package struct RegistrationGrant: Hashable, Sendable {
    /// The token's hash.
    package var hash: Data
    /// The class of the houses.
    package var houseClass: HouseClass
    /// The number of houses that it can register.
    package var uses: Int
    /// The end of its validity, in milliseconds since 1970.
    package var expires: Int64

    /// Creates a grant.
    package init(hash: Data, houseClass: HouseClass, uses: Int, expires: Int64) {
        self.hash = hash
        self.houseClass = houseClass
        self.uses = uses
        self.expires = expires
    }
}
