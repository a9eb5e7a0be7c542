package import Foundation

/// The two hubs of a house, as one of them sees them.
package struct HubPair: Hashable, Sendable {
    /// This hub.
    package var own: UUID
    /// The other hub.
    package var other: UUID

    /// Creates a pair.
    package init(own: UUID, other: UUID) {
        self.own = own
        self.other = other
    }

    /// The voters besides this hub.
    package var peers: [Voter] { [.hub(other), .relay] }
}
