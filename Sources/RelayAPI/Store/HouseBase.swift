package import Consensus

/// A state of two hubs that a store has of a house, or a part of one.
package struct HouseBase: Hashable, Sendable {
    /// The position of the last batch that was applied to it.
    package var position: BatchPosition
    /// The number of its pieces.
    package var pieces: Int
    /// The number of pieces that the store has.
    package var stored: Int

    /// Creates a description.
    package init(position: BatchPosition, pieces: Int, stored: Int) {
        self.position = position
        self.pieces = pieces
        self.stored = stored
    }

    /// Whether all pieces are there. Only such a state is in place of batches, and the store has one at most.
    package var isComplete: Bool { stored == pieces }

    /// What becomes of a piece.
    package enum Decision: Hashable, Sendable {
        /// It is stored, once what was begun of other states is removed.
        case store(removing: [BatchPosition])
        /// The state is complete, so the piece changes nothing.
        case ignore
    }

    /// Decides about a piece of a state.
    ///
    /// - Parameters:
    ///   - bases: The states that the store has, complete or not.
    ///   - voter: What the store has of the house as a voter; `nil` for nothing.
    /// - Throws: `outdated` if a later pair votes, another hub leads since, or the relay has later batches or a later state;
    ///   `notFound` if the pair hasn't sent any batches.
    package static func deciding(
        about piece: BasePiece,
        _ bases: [HouseBase],
        of voter: HouseVoter?
    ) throws(RelayStoreError) -> Decision {
        guard let voter, voter.pair >= piece.pair else { throw .notFound }
        guard voter.pair == piece.pair else { throw .outdated(stored: voter.pair) }
        guard piece.term >= voter.record.term else { throw .outdated(stored: Int64(voter.record.term)) }
        guard piece.position.place >= voter.log.base.place else {
            throw .outdated(stored: Int64(voter.log.base.place))
        }
        if let known = bases.first(where: { $0.position == piece.position }), known.isComplete { return .ignore }
        let others = bases.filter { !$0.isComplete && ($0.position != piece.position || $0.pieces != piece.pieces) }
        return .store(removing: others.map(\.position))
    }

    /// Returns what a store writes once a state is complete: the voter without the batches that the state replaces.
    package static func taking(
        _ piece: BasePiece,
        _ voter: HouseVoter
    ) throws(RelayStoreError) -> HouseVoter.Decision {
        var relay = RelayVoter(record: voter.record, log: voter.log, byteCount: voter.byteCount)
        guard let answer = relay.takeBase(piece.position, term: piece.term) else {
            throw .outdated(stored: Int64(voter.log.base.place))
        }
        // Nobody is sent this answer.
        let reply = Consensus.AppendReply(
            term: relay.record.term,
            previous: answer.reply.place,
            isMatch: true,
            place: relay.log.last.place
        )
        var decision = HouseVoter.Decision(
            answer: .appendReply(reply),
            change: answer.change,
            discarded: answer.discarded,
            voter: voter
        )
        decision.voter.record = relay.record
        decision.voter.log = relay.log
        return decision
    }
}
