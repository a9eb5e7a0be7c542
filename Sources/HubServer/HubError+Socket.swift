package import HubAPI

extension HubError.Code {
    /// Another hub listens at the socket.
    package static let alreadyRunning = Self(rawValue: "alreadyRunning")
    /// The hub has as many connections as it takes.
    package static let tooManyConnections = Self(rawValue: "tooManyConnections")
    /// Metrics cannot be served where they were asked for.
    package static let metricsRefused = Self(rawValue: "metricsRefused")
    /// The socket cannot be made, or would not be safe, at its path.
    package static let socketRefused = Self(rawValue: "socketRefused")
}
