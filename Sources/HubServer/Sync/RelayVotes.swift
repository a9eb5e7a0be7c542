package import Consensus
package import Foundation
package import HomeIdentity
import RelayAPI
package import RelayClient
package import Replication

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

    package func sendBase(_ base: SealedBase, term: Int) async throws {
        for number in 1...base.count {
            let piece = BasePiece(
                pair: pair,
                term: term,
                position: base.position,
                piece: number,
                pieces: base.count,
                bytes: Data(try base.piece(number))
            )
            try await client.setBasePiece(piece, in: house)
        }
    }

    package func basePieces(at position: BatchPosition) async throws -> Int {
        let status = try await client.base(of: house)
        guard BatchPosition(place: status.place, term: status.term) == position else {
            throw RelayClientError.invalidAnswer("The relay has another state of the hubs by now.")
        }
        guard (1...HouseQuota.home.basePieces).contains(status.pieces) else {
            throw RelayClientError.invalidAnswer("The state of the hubs has too many pieces.")
        }
        return status.pieces
    }

    package func basePiece(_ number: Int, at position: BatchPosition) async throws -> [UInt8] {
        Array(try await client.basePiece(number, at: position, of: house))
    }
}
