/// The ways of one name on all links. A name is the same everywhere, but it is probed and announced on each link for
/// itself, so that a link that comes later does not disturb the others.
struct LinkClaims {
    private var claims: [UInt32: NameClaim] = [:]

    /// Starts on some links with the first probe at `start`.
    init(links: some Sequence<UInt32>, start: Instant) {
        for link in links {
            claims[link] = NameClaim(start: start)
        }
    }

    /// The claim on a link; setting `nil` forgets the link.
    subscript(link: UInt32) -> NameClaim? {
        get { claims[link] }
        _modify { yield &claims[link] }
    }

    /// The links.
    var links: Dictionary<UInt32, NameClaim>.Keys { claims.keys }

    /// Whether the name is ours on a link.
    func isClaimed(on link: UInt32) -> Bool {
        claims[link]?.isClaimed == true
    }

    /// Whether nobody has heard of the name from us yet, and nothing is the matter with it.
    var isUntold: Bool {
        claims.values.allSatisfy { !$0.isClaimed && !$0.isContestable && !$0.wasAnnounced }
    }

    /// Whether others may have records of ours under the name.
    var wasAnnounced: Bool {
        claims.values.contains { $0.isClaimed || $0.wasAnnounced }
    }

    /// Whether the name is ours on every link.
    var isClaimedEverywhere: Bool {
        claims.values.allSatisfy(\.isClaimed)
    }
}
