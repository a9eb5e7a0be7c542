extension Check {
    /// All checks, in the order in which they run within their stage.
    package static let all: [Check] =
        advertising + pairSetup + pairVerify + pairings + database + reads + writes + timedWrites + events + framing
        + http + sessions + load + restart + attacks

    /// The attacks. The one that pairs is the last one.
    private static let attacks: [Check] =
        accessAttacks + verifyAttacks + pairingsAttacks + httpAttacks + frameAttacks + jsonAttacks + floodAttacks
        + setupAttacks

    /// Returns the check with an ID.
    package static func with(id: String) -> Check? {
        byID[id]
    }

    private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
}
