/// Decides what a hub does about verified claims of other hubs.
///
/// A claim alone proves nothing: it may be a replay. Only a claim that echoes this hub's random run ID comes from a
/// live hub.
struct DuplicateHubPolicy: Sendable {
    /// The reaction to a claim.
    enum Verdict: Hashable, Sendable {
        /// Ignore the claim: it is the hub's own, is already known, or doesn't answer this hub yet.
        case nothing
        /// Answer the hub of lower rank, so that it stops.
        case answer
        /// Stop: a hub of higher rank has answered this one.
        case yield
    }

    /// The hub's own rank.
    let rank: HubClaim.Rank
    /// The run IDs of the hubs of lower rank that were found last.
    private(set) var heard: [HubClaim.Run] = []

    init(rank: HubClaim.Rank) {
        self.rank = rank
    }

    /// Handles a verified claim of one of this hub's homes.
    mutating func handle(_ claim: HubClaim) -> Verdict {
        guard claim.rank.run != rank.run else { return .nothing }
        if claim.rank.outranks(rank) { return claim.heard.contains(rank.run) ? .yield : .nothing }
        guard !heard.contains(claim.rank.run) else { return .nothing }
        heard = heard.suffix(HubClaim.heardLimit - 1) + [claim.rank.run]
        return .answer
    }
}
