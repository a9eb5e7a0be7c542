package import Consensus
package import Foundation
package import HomeIdentity
import NIOHTTP1
package import RelayAPI

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

    /// Stores a piece of the state of a house's two hubs, which this key must own.
    package func setBasePiece(_ piece: BasePiece, in house: HouseID) async throws(RelayClientError) {
        let place = "place=\(piece.position.place)&term=\(piece.position.term)&piece=\(piece.piece)&of=\(piece.pieces)"
        try await put("/v1/houses/\(house)/base?pair=\(piece.pair)&lead=\(piece.term)&\(place)", piece.bytes)
    }

    /// Returns where the state ends that the relay has in place of batches.
    package func base(of house: HouseID) async throws(RelayClientError) -> BaseStatus {
        try Self.decode(try await get("/v1/houses/\(house)/base"))
    }

    /// Returns a piece of the state at a position.
    package func basePiece(
        _ number: Int,
        at position: BatchPosition,
        of house: HouseID
    ) async throws(RelayClientError) -> Data {
        let place = "place=\(position.place)&term=\(position.term)&piece=\(number)"
        return try await get("/v1/houses/\(house)/base?\(place)")
    }
}
