package import Consensus
package import Foundation
package import HomeIdentity
import NIOHTTP1

extension RelayClient {
    /// Sends a message of one of a house's two hubs to the relay as a voter.
    ///
    /// - Parameters:
    ///   - message: A request.
    ///   - hub: The hub.
    ///   - pair: The number of the pair of hubs. A later pair of the house has a larger one.
    ///   - house: The house, which this key must own.
    /// - Returns: The answer.
    package func vote(
        _ message: VoterMessage,
        from hub: UUID,
        pair: Int64,
        in house: HouseID
    ) async throws(RelayClientError) -> VoterMessage {
        let path = "/v1/houses/\(house)/votes?hub=\(hub.uuidString)&pair=\(pair)"
        let request = RelayHTTPRequest(method: .POST, path: path, body: Data(message.bytes))
        guard let answer = VoterMessage(Array(try await ask(request))) else {
            throw .invalidAnswer("The relay's answer isn't a voter's.")
        }
        return answer
    }
}
