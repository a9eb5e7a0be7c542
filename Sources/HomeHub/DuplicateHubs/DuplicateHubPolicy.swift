/// Decides what a hub does about claims of other hubs that were found genuine.
///
/// A claim alone stops nobody: it may be an old one that somebody repeats. Only one that answers this very start of the
/// hub, which nobody could foresee, comes from a hub that lives.
struct DuplicateHubPolicy: Sendable {
    /// What to do about a claim.
    enum Verdict: Hashable, Sendable {
        /// Nothing: it is the hub's own, or was heard before, or is still to answer.
        case nothing
        /// Let the lesser hub know that it was heard: it is to stop.
        case answer
        /// Stop: a hub that is to go on in this one's place has heard this one.
        case yield
    }

    /// The hub's own rank.
    let rank: HubClaim.Rank
    /// The lesser hubs that were heard last.
    private(set) var heard: [HubClaim.Run] = []

    init(rank: HubClaim.Rank) {
        self.rank = rank
    }

    /// Takes in a genuine claim of a home of the hub's.
    mutating func hear(_ claim: HubClaim) -> Verdict {
        guard claim.rank.run != rank.run else { return .nothing }
        if claim.rank.outranks(rank) { return claim.heard.contains(rank.run) ? .yield : .nothing }
        guard !heard.contains(claim.rank.run) else { return .nothing }
        heard = heard.suffix(HubClaim.heardLimit - 1) + [claim.rank.run]
        return .answer
    }
}
