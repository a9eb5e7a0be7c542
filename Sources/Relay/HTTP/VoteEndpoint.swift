import Consensus
import Foundation
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
}
