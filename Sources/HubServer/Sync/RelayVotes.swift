package import Consensus
package import Foundation
package import HomeIdentity
package import RelayClient
import Replication

/// A house's relay as a voter, which one of the house's two hubs asks over HTTP.
package struct RelayVotes: RelayVoting {
    private let client: RelayClient
    private let house: HouseID
    private let hub: UUID
    private let pair: Int64

    /// Creates a voter.
    ///
    /// - Parameters:
    ///   - client: The relay, as an owner of the house.
    ///   - house: The house.
    ///   - hub: This hub.
    ///   - pair: The number of the pair of hubs: that of the list that made it one.
    package init(_ client: RelayClient, house: HouseID, hub: UUID, pair: Int64) {
        self.client = client
        self.house = house
        self.hub = hub
        self.pair = pair
    }

    package func answer(_ message: VoterMessage) async -> VoterMessage? { try? await ask(message) }

    /// Sends a message, and returns the answer.
    func ask(_ message: VoterMessage) async throws(RelayClientError) -> VoterMessage {
        try await client.vote(message, from: hub, pair: pair, in: house)
    }

    private static let takesNoBase = RelayClientError.invalidAnswer("A relay takes no state of hubs.")

    package func sendBase(_ file: URL, at position: BatchPosition, term: Int) async throws { throw Self.takesNoBase }

    package func base(at position: BatchPosition) async throws -> URL { throw Self.takesNoBase }
}
