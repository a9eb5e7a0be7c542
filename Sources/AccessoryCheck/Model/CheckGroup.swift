/// A group of checks.
package enum CheckGroup: String, CaseIterable, Sendable, Codable {
    case advertising
    case pairSetup = "pair-setup"
    case pairVerify = "pair-verify"
    case pairings
    case database
    case reads
    case writes
    case timedWrites = "timed-writes"
    case events
    case framing
    case http
    case sessions
    case load
    case restart
    case attacks

    /// The group's heading in documents.
    package var title: String {
        switch self {
        case .advertising: "Advertising"
        case .pairSetup: "Pair Setup"
        case .pairVerify: "Pair Verify"
        case .pairings: "Pairings"
        case .database: "Attribute Database"
        case .reads: "Reads"
        case .writes: "Writes"
        case .timedWrites: "Timed Writes"
        case .events: "Events"
        case .framing: "Framing"
        case .http: "HTTP"
        case .sessions: "Sessions"
        case .load: "Load"
        case .restart: "Restart"
        case .attacks: "Attacks"
        }
    }
}
