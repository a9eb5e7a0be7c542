import LocalRPC

/// Constants of the protocol between clients and hub.
package enum HubProtocol {
    /// The version that this code speaks. Hub and client one version apart understand each other; those further apart
    /// refuse each other by name. So a change that one end can do without counts one, any other counts two.
    package static let version = 5
    /// The first version whose hubs take ``Hello/subscriptions``.
    package static let versionWithSubscriptions = 5
    /// The most characteristics in one read, write or notify call.
    package static let characteristicsPerCall = 10_000
    /// The most characteristics, named one by one, of whose changes one connection hears. A greeting that lists that many
    /// fits into ``requestLimit``, even if each belongs to another accessory.
    package static let subscriptionsPerConnection = 16_384
    /// The maximum size of a request in bytes.
    package static let requestLimit = RPCLimits.requestBytes
    /// The maximum size in bytes of a message that a client accepts: a snapshot of a very large home fits.
    package static let messageLimit = RPCLimits.messageBytes

    /// Why a client and a hub do not understand each other, and which of the two to upgrade; nil when they do.
    ///
    /// - Parameters:
    ///   - client: The version that the client speaks; any number, as it comes from outside.
    ///   - hub: The version that the hub speaks.
    package static func mismatch(client: Int, hub: Int) -> HubError? {
        // The difference of the two may be more than a number holds.
        let (older, newer) = (min(client, hub), max(client, hub))
        guard older < newer, older < newer - 1 else { return nil }
        let versions = "The app speaks version \(client) of the hub's protocol, and the hub speaks version \(hub)"
        let side = client < hub ? "app" : "hub"
        return HubError(.versionMismatch, "\(versions): they may be one version apart at most. Upgrade the \(side).")
    }

    /// Whether an app is one of the hub's own, `hearth` or `hearth.…`, which nobody is asked about.
    package static func isOwnApp(_ app: String) -> Bool {
        app == "hearth" || app.hasPrefix("hearth.")
    }
}
