/// The paths of an accessory's HTTP endpoints. Source: HAP specification, table 4-1.
public enum HAPEndpoint: String, CaseIterable, Sendable {
    /// Runs the identify routine of an unpaired accessory.
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
    /// Returns a camera's snapshot.
    case resource = "/resource"
    /// HAP PDUs in HTTP bodies.
    case secureMessage = "/secure-message"

    /// The path in a request line, without a query.
    public var path: String { rawValue }

    /// Returns the endpoint at a path, or `nil` if there is none.
    package init?(path: ArraySlice<UInt8>) {
        // Asking for the lengths first spares most comparisons.
        let index = Self.paths.indices.first { index in
            Self.paths[index].path.count == path.count && Self.paths[index].path.elementsEqual(path)
        }
        guard let index else { return nil }
        self = Self.paths[index].endpoint
    }

    private static let paths = allCases.map { (path: Array($0.path.utf8), endpoint: $0) }

    /// Whether the endpoint is available on a connection without a verified session.
    public var isOpenBeforeVerify: Bool {
        switch self {
        case .identify, .pairSetup, .pairVerify: true
        case .pairings, .accessories, .characteristics, .prepare, .resource, .secureMessage: false
        }
    }
}
