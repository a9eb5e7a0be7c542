import Consensus
import Foundation

extension FuzzTarget {
    /// Messages of voters. What is read is what was sent, byte by byte, and no message of a relay or of another hub makes a
    /// hub give up what is committed.
    static let voterMessages = FuzzTarget("voter-messages", maximumLength: 1_024) { input throws(Violation) in
        guard let choice = input.first, let message = VoterMessage(Array(input.dropFirst())) else { return false }
        try hold(message.bytes == Array(input.dropFirst()), "a message has two forms")
        let (own, other) = (
            UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)),
            UUID(uuid: (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2))
        )
        var log = BatchLog()
        for place in 1...4 { log.append(Batch(BatchPosition(place: place, term: place), bytes: [UInt8(place)])) }
        var voter = HubVoter(
            pair: HubPair(own: own, other: other),
            record: VoterRecord(term: 4),
            log: log,
            applied: 2,
            seed: UInt64(choice),
            now: .zero
        )
        // Without a leader, as the leader, or as it was started.
        if choice % 3 > 0 { _ = voter.tick(now: .seconds(4)) }
        if choice % 3 > 1 {
            for isTrial in [true, false] {
                let reply = VoteReply(
                    term: 4,
                    requestTerm: 5,
                    isTrial: isTrial,
                    isGranted: true,
                    last: BatchPosition(place: 4, term: 4)
                )
                _ = voter.receive(.voteReply(reply), from: .relay, now: .seconds(4))
            }
        }
        let term = voter.record.term
        _ = voter.receive(message, from: choice > 127 ? .relay : .hub(other), now: .seconds(4))
        try hold(voter.record.term >= term, "a term goes back")
        try hold(voter.committed >= 2, "what is committed goes back")
        try hold(
            voter.log.base.place <= 2 || voter.committed >= voter.log.base.place,
            "what isn't committed is discarded"
        )
        try hold(voter.log.position(at: voter.committed) != nil, "what is committed is missing")
        if voter.log.base.place <= 2 {
            try hold(voter.log.position(at: 2) == BatchPosition(place: 2, term: 2), "what is committed is replaced")
        }
        return true
    }
}
