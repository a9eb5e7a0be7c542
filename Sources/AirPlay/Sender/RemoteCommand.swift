package import HAP

/// A command that a receiver sends back to the sender.
package struct RemoteCommand: RawRepresentable, Hashable, Sendable {
    private static let prefix = "/ctrl-int/1/"

    /// The command's name, such as `playpause`.
    package let rawValue: String

    /// Creates a command from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The commands that receivers send.
    package static let known: Set<String> = [
        "play", "pause", "playpause", "stop", "playresume", "nextitem", "previtem", "volumeup", "volumedown",
        "mutetoggle", "shuffle_songs", "beginff", "beginrew",
    ]

    /// The path of the request for the command.
    package var path: String { Self.prefix + rawValue }

    /// The result of a request to the sender's remote control service.
    package enum Answer: Hashable, Sendable {
        /// A command: respond that it was accepted.
        case command(RemoteCommand)
        /// A refusal, with a status.
        case refusal(HTTPStatus)
    }

    /// The result of a command that a sender has handled.
    package enum Result: Hashable, Sendable {
        case success
        case noSuchContent
        case noActionableItem
        case deviceNotFound
        case failed

        /// The status with which the service responds.
        package var status: HTTPStatus {
            switch self {
            case .success: .noContent
            case .noSuchContent: .notFound
            case .noActionableItem: .conflict
            case .deviceNotFound: .serviceUnavailable
            case .failed: .internalServerError
            }
        }
    }

    /// Reads a request to the sender's remote control service.
    ///
    /// - Parameter token: The token that the sender gave to the receiver.
    package static func answer(_ request: RTSPRequest, token: String) -> Answer {
        guard request.headers[RTSPHeaderName.activeRemote] == token else { return .refusal(.unauthorized) }
        guard request.method == .get else { return .refusal(.methodNotAllowed) }
        let path = request.uri.prefix { $0 != "?" }
        guard path.hasPrefix(prefix) else { return .refusal(.notFound) }
        let name = String(path.dropFirst(prefix.count))
        guard known.contains(name) else { return .refusal(.notFound) }
        return .command(RemoteCommand(rawValue: name))
    }
}
