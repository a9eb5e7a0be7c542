import LocalRPC

/// Constants of the protocol between clients and the hub.
package enum HubProtocol {
    /// The protocol version of this code.
    ///
    /// A hub and a client understand each other if their versions differ by at most one; otherwise both report a
    /// version mismatch. A change that one side can do without increases the version by one, any other change by two.
    package static let version = 7
    /// The identifier of the command line as an app.
    package static let commandLineApp = "hearth"
    /// The identifier of an agent's own session as an app.
    package static let agentApp = "hearth.agent"
    /// The maximum number of characteristics in one read, write or notify call.
    package static let characteristicsPerCall = 10_000
    /// The maximum number of single characteristics that one connection can subscribe to. A `session.hello` that lists
    /// this many fits within ``requestLimit``, even if each belongs to a different accessory.
    package static let subscriptionsPerConnection = 16_384
    /// The maximum number of entries in one page of the journal.
    package static let journalEntriesPerPage = 1_000
    /// The maximum number of recorded values in one reply, in all series together.
    package static let journalSamplesPerPage = 50_000
    /// The maximum number of milliseconds that one call advances a manual clock: 366 days.
    package static let longestClockAdvance: Int64 = 366 * 24 * 60 * 60 * 1_000
    /// The maximum time for which a request from away is valid, in milliseconds.
    package static let longestValidity: Int64 = 10_000
    /// The maximum size of a request in bytes.
    package static let requestLimit = RPCLimits.requestBytes

    /// Returns an error that names the side to upgrade if a client and a hub don't understand each other, otherwise
    /// `nil`.
    ///
    /// - Parameters:
    ///   - client: The client's version. It comes from outside and can be any number.
    ///   - hub: The hub's version.
    package static func mismatch(client: Int, hub: Int) -> HubError? {
        // This doesn't subtract the versions, because the difference could overflow.
        let (older, newer) = (min(client, hub), max(client, hub))
        guard older < newer, older < newer - 1 else { return nil }
        let versions = "The app speaks version \(client) of the hub's protocol, and the hub speaks version \(hub)"
        let side = client < hub ? "app" : "hub"
        return HubError(.versionMismatch, "\(versions): they may differ by at most one. Upgrade the \(side).")
    }

    /// Whether an app is one of the hub's own, `hearth` or `hearth.…`, which need no consent.
    package static func isOwnApp(_ app: String) -> Bool {
        app == commandLineApp || app.hasPrefix("hearth.")
    }
}
