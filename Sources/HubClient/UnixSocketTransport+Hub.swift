package import HubAPI
package import LocalRPCSockets

/// A connection to a hub on this machine.
package typealias HubSocketTransport = UnixSocketTransport<HubEvent>

extension HubSocketTransport {
    /// Creates a transport to a hub.
    ///
    /// It trusts a hub that this process's user, root, or the user in ``HubSocketPath/hubUserVariable`` runs.
    ///
    /// - Parameter path: The hub's socket, for example ``HubSocketPath/standard(environment:)``.
    package convenience init(path: String) {
        let hubUser = HubSocketPath.hubUser()
        self.init(path: path, to: .hub) { $0.isTrusted() || $0.userID == hubUser }
    }
}

extension SocketServer {
    /// The hub.
    package static let hub = SocketServer(
        name: "hub",
        startAdvice:
            "Start one with `hearth hub`, join one on another machine with `hearth join`, or name its socket with \(HubSocketPath.variable) or --socket.",
        trustAdvice: { "If that user runs your hub, set \(HubSocketPath.hubUserVariable)=\($0)." }
    )
}
