/// A socket at which one app of one user is served, whoever connects.
package struct AppSocket: Hashable, Sendable, Codable {
    /// Where it is, an absolute path.
    package var path: String
    /// Who may connect, as in `chmod`: read and write bits only.
    package var mode: Int
    /// The group that the mode is about, by name or number; nil for the hub's own.
    package var group: String?
    /// Why it is not open although it should be; nil while it is.
    package var problem: String?

    /// The mode when none is given: the hub's user and the group.
    package static let standardMode = 0o660

    /// Makes a socket's description.
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
    /// The socket; its problem has no meaning.
    package var socket: AppSocket

    /// Makes the parameters.
    package init(id: String, socket: AppSocket) {
        self.id = id
        self.socket = socket
    }
}

/// What an app needs to know of the socket that was opened for it.
package struct OpenedAppSocket: Hashable, Sendable, Codable {
    /// The uid that runs the hub, which the app has to expect there.
    package var hubUser: UInt32

    /// Makes the result.
    package init(hubUser: UInt32) {
        self.hubUser = hubUser
    }
}

/// Names an app's socket.
package struct AppSocketTarget: Hashable, Sendable, Codable {
    /// Where it is.
    package var path: String

    /// Makes the parameters.
    package init(path: String) {
        self.path = path
    }
}
