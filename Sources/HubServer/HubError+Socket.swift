public import HubAPI

extension HubError.Code {
    /// Another hub listens at the socket.
    public static let alreadyRunning = Self(rawValue: "alreadyRunning")
    /// The hub has as many connections as it takes.
    public static let tooManyConnections = Self(rawValue: "tooManyConnections")
    /// Metrics cannot be served where they were asked for.
    public static let metricsRefused = Self(rawValue: "metricsRefused")
    /// The socket cannot be made, or would not be safe, at its path.
    public static let socketRefused = Self(rawValue: "socketRefused")
}
