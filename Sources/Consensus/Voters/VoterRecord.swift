package import Foundation

/// What a voter must never forget: its term, and for whom it voted in it.
package struct VoterRecord: Hashable, Sendable {
    /// The latest term that the voter knows of. 0 before the first election.
    package var term: Int
    /// The hub that the voter voted for in this term.
    package var vote: UUID?

    /// Creates a record.
    package init(term: Int = 0, vote: UUID? = nil) {
        self.term = term
        self.vote = vote
    }

    /// Returns whether a hub gets the vote in a term: not in an earlier one, and not after another hub got it.
    package func allowsVote(for candidate: UUID, in term: Int) -> Bool {
        if term != self.term { return term > self.term }
        return vote == nil || vote == candidate
    }
}
