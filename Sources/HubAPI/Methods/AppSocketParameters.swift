/// A socket that serves one app of one user, regardless of which process connects.
package struct AppSocket: Hashable, Sendable, Codable {
    /// The socket's absolute path.
    package var path: String
    /// The socket's permissions, as in `chmod`: read and write bits only.
    package var mode: Int
    /// The socket's group, by name or number; `nil` for the hub's own.
    package var group: String?
    /// Why the socket isn't open although it should be; `nil` if it is open.
    package var problem: String?

    /// The default permissions: the hub's user and the group can connect.
    package static let standardMode = 0o660

    /// Creates a socket's description.
    package init(path: String, mode: Int = AppSocket.standardMode, group: String? = nil, problem: String? = nil) {
        self.path = path
        self.mode = mode
        self.group = group
        self.problem = problem
    }
}

/// Opens a socket for an app.
package struct OpenAppSocket: Hashable, Sendable, Codable {
    /// The app's identifier.
    package var id: String
    /// The socket; its `problem` is ignored.
    package var socket: AppSocket

    package init(id: String, socket: AppSocket) {
        self.id = id
        self.socket = socket
    }
}

/// The result of opening an app's socket.
package struct OpenedAppSocket: Hashable, Sendable, Codable {
    /// The uid that runs the hub. The app must expect this user at the socket.
    package var hubUser: UInt32

    package init(hubUser: UInt32) {
        self.hubUser = hubUser
    }
}

/// Identifies an app's socket.
package struct AppSocketTarget: Hashable, Sendable, Codable {
    /// The socket's absolute path.
    package var path: String

    package init(path: String) {
        self.path = path
    }
}
