package import Consensus
import Foundation
package import HomeHub
import HomeIdentity
import RelayAPI
package import RelayClient
package import Replication
import Synchronization

/// The relay that votes beside two hubs: the one that their batches name now.
package final class RelayedVoter: RelayVoting {
    // This is a class because it keeps the connections to the relay.

    private let hub: HomeHub
    private let pair: Int64
    private let trust: RelayTrust
    private let current = Mutex<(place: RelayPlace, votes: RelayVotes)?>(nil)

    /// Creates a voter.
    ///
    /// - Parameters:
    ///   - hub: This hub.
    ///   - pair: The number of the pair of hubs: that of the list that made it one.
    ///   - trust: Whom to believe about a relay's name.
    package init(for hub: HomeHub, pair: Int64, trust: RelayTrust = .system) {
        self.hub = hub
        self.pair = pair
        self.trust = trust
    }

    package func answer(_ message: VoterMessage) async -> VoterMessage? {
        do {
            guard let votes = try votes() else { return nil }
            let answer = try await votes.ask(message)
            hub.relayWasAsked(problem: nil, isUnknown: false)
            return answer
        } catch {
            // The relay says so too to whoever isn't an owner of the house.
            hub.relayWasAsked(problem: "\(error)", isUnknown: Self.isUnknown(error))
            return nil
        }
    }

    private static func isUnknown(_ error: any Error) -> Bool {
        guard case .refused(let refusal)? = error as? RelayClientError else { return false }
        return refusal.code == .notFound
    }

    package func sendBase(_ base: SealedBase, term: Int) async throws {
        try await voter().sendBase(base, term: term)
    }

    package func basePieces(at position: BatchPosition) async throws -> Int {
        try await voter().basePieces(at: position)
    }

    package func basePiece(_ number: Int, at position: BatchPosition) async throws -> [UInt8] {
        try await voter().basePiece(number, at: position)
    }

    private func voter() throws -> any RelayVoting { try votes() ?? NoRelay() }

    /// Returns the relay that votes now; `nil` if none does.
    private func votes() throws -> RelayVotes? {
        guard let place = hub.votingPlace else { return nil }
        return try current.withLock { current in
            if let current, current.place == place { return current.votes }
            let client = try RelayClient(place.relay, as: place.owner(of: hub.identity), trust: trust)
            let votes = RelayVotes(client, house: place.house, hub: hub.owner.device, pair: pair)
            current = (place, votes)
            return votes
        }
    }
}
