/// The paths that an accessory serves. Source: HAP specification, table 4-1.
public enum HAPEndpoint: String, CaseIterable, Sendable {
    /// Makes an accessory that is not paired draw attention to itself.
    case identify = "/identify"
    /// Pair-setup.
    case pairSetup = "/pair-setup"
    /// Pair-verify.
    case pairVerify = "/pair-verify"
    /// Adds, removes and lists pairings.
    case pairings = "/pairings"
    /// The accessory attribute database.
    case accessories = "/accessories"
    /// Reads, writes and subscriptions.
    case characteristics = "/characteristics"
    /// Prepares a timed write.
    case prepare = "/prepare"
    /// Snapshots of cameras.
    case resource = "/resource"
    /// HAP PDUs in HTTP bodies.
    case secureMessage = "/secure-message"

    /// The path, as it stands in a request line before any query.
    public var path: String { rawValue }

    /// Whether the endpoint is served on a connection without a verified session.
    public var isOpenBeforeVerify: Bool {
        switch self {
        case .identify, .pairSetup, .pairVerify: true
        case .pairings, .accessories, .characteristics, .prepare, .resource, .secureMessage: false
        }
    }
}
