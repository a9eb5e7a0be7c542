package import Foundation

/// What permits a new house.
package enum RegistrationPermit: Hashable, Sendable {
    /// The relay is open to everybody.
    case open(HouseClass)
    /// A registration token with a hash.
    case token(hash: Data)
}
