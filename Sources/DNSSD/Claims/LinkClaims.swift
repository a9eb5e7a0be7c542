/// The claims to one name on all links. The name is the same on every link, but it is probed and announced on each link
/// separately, so that a new link doesn't disturb the others.
struct LinkClaims {
    private var claims: [UInt32: NameClaim] = [:]

    /// Starts claims on links, with the first probe at `start`.
    init(links: some Sequence<UInt32>, start: Instant) {
        for link in links {
            claims[link] = NameClaim(start: start)
        }
    }

    /// The claim on a link. Setting `nil` removes it.
    subscript(link: UInt32) -> NameClaim? {
        get { claims[link] }
        _modify { yield &claims[link] }
    }

    /// The links.
    var links: Dictionary<UInt32, NameClaim>.Keys { claims.keys }

    /// Returns whether the name is claimed on a link.
    func isClaimed(on link: UInt32) -> Bool {
        claims[link]?.isClaimed == true
    }

    /// Whether the name hasn't been announced to any host and isn't contested.
    var isUnannounced: Bool {
        claims.values.allSatisfy { !$0.isClaimed && !$0.isContestable && !$0.wasAnnounced }
    }

    /// Whether other hosts may have records with the name.
    var wasAnnounced: Bool {
        claims.values.contains { $0.isClaimed || $0.wasAnnounced }
    }

    /// Whether the name is claimed on every link.
    var isClaimedEverywhere: Bool {
        claims.values.allSatisfy(\.isClaimed)
    }
}
