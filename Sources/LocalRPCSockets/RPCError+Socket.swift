package import LocalRPC

extension RPCError.Code {
    /// Another server listens at the socket.
    package static let alreadyRunning = Self(rawValue: "alreadyRunning")
    /// The server has the maximum number of connections.
    package static let tooManyConnections = Self(rawValue: "tooManyConnections")
    /// The socket can't be created at its path, or would not be safe there.
    package static let socketRefused = Self(rawValue: "socketRefused")
}
