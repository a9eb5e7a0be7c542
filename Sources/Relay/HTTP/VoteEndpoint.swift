import Consensus
import Foundation
import HTTPTypes
import HomeIdentity
import RelayAPI
import WebServer

/// Takes the messages of houses with two hubs to the relay as a voter.
struct VoteEndpoint: Sendable {
    let store: any RelayStore
    let gate: RequestGate
    let leaders: LeaderTimes

    /// Answers a hub.
    func vote(in house: HouseID, _ call: inout RelayCall) async throws -> HTTPAnswer {
        let quota = try await store.houseClass(of: house, as: call.key).quota
        guard let pair = try call.number("pair"), let hub = try call.text("hub").flatMap({ UUID(uuidString: $0) })
        else {
            throw RelayError.malformed("A vote needs “hub” and “pair”.")
        }
        try gate.countVote(of: house, quota, at: call.now)
        let bytes = try await call.body(upTo: ConsensusLimits.messageBytes)
        let hasLeader = leaders.hasLeader(house)
        guard let message = VoterMessage(Array(bytes)),
            let vote = VoteCall(message, from: hub, pair: pair, hasLeader: hasLeader)
        else { throw RelayError.malformed("The body isn't a request to a voter.") }
        let answer = try await store.vote(vote, in: house, as: call.key, at: call.now)
        if case .appendRequest(let request) = message, case .appendReply(let reply) = answer, reply.term == request.term
        {
            leaders.hear(house)
        }
        return HTTPAnswer(bytes: Data(answer.bytes))
    }

    /// Stores a piece of the state of two hubs.
    func storeBasePiece(in house: HouseID, _ call: inout RelayCall) async throws -> HTTPAnswer {
        let quota = try await store.houseClass(of: house, as: call.key).quota
        guard let pair = try call.number("pair"), let lead = try call.number("lead"),
            let position = try Self.position(call), let number = try call.number("piece"),
            let count = try call.number("of")
        else { throw RelayError.malformed("A piece needs “pair”, “lead”, “place”, “term”, “piece” and “of”.") }
        try gate.countWrites(1, of: house, quota, at: call.now)
        let piece = BasePiece(
            pair: pair,
            term: Int(lead),
            position: position,
            piece: Int(number),
            pieces: Int(count),
            bytes: try await call.body(upTo: RelayLimits.vaultPieceBytes)
        )
        try piece.check(quota)
        try await store.setBasePiece(piece, in: house, as: call.key, at: call.now)
        return HTTPAnswer(.noContent)
    }

    /// Returns a piece of the state that is in place of batches, or its position and the number of its pieces.
    func base(of house: HouseID, _ call: RelayCall) async throws -> HTTPAnswer {
        let piece = try call.number("piece")
        let position = try Self.position(call)
        guard let piece, let position else {
            guard piece == nil, position == nil else {
                throw RelayError.malformed("A piece needs “place”, “term” and “piece”.")
            }
            return HTTPAnswer(encoding: try await store.base(of: house, as: call.key))
        }
        return HTTPAnswer(bytes: try await store.basePiece(Int(piece), at: position, of: house, as: call.key))
    }

    private static func position(_ call: RelayCall) throws -> BatchPosition? {
        guard let place = try call.number("place"), let term = try call.number("term") else { return nil }
        return BatchPosition(place: Int(place), term: Int(term))
    }
}
