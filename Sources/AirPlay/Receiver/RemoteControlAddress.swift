internal import HAP

/// The sender's remote control service: its name, and the token that it asks for.
package struct RemoteControlAddress: Hashable, Sendable {
    /// The sender's ID, which is part of the service's name.
    package var id: String
    /// The token.
    package var token: String

    /// Creates an address.
    package init(id: String, token: String) {
        self.id = id
        self.token = token
    }

    /// Reads the headers of a request. Returns `nil` if the sender has no such service.
    init?(_ headers: HTTPHeaders) {
        guard let id = headers[RTSPHeaderName.dacpID], let token = headers[RTSPHeaderName.activeRemote] else {
            return nil
        }
        self.init(id: id, token: token)
    }

    /// The service's instance name.
    package var instanceName: String { "iTunes_Ctrl_\(id)" }
}
