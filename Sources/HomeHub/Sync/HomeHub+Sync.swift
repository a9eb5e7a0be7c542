package import Foundation
package import HomeIdentity
package import SealedFeed

/// Feeds at relays.
extension HomeHub {
    /// Creates the writer of a person's feed. Call its ``FeedWriter/run()``.
    ///
    /// - Parameters:
    ///   - user: The person, who is a user of this hub.
    ///   - address: The feed at the relay.
    ///   - devices: The boxes of the person's devices, by ID.
    ///   - relay: The relay.
    /// - Throws: An error if what is stored of the feed can't be read.
    package func feedWriter(
        of user: UUID,
        at address: FeedAddress,
        for devices: [UUID: PublicBox],
        _ relay: any FeedRelay
    ) async throws -> FeedWriter {
        try await FeedWriter(of: user, at: address, for: devices, relay, in: self, now: now, log: log)
    }
}
