internal import HAP
internal import NIOCore
internal import Synchronization
internal import WirelessSetup

/// The requests of a ``SetupServer``, and its connections. This is a class because all connections share it.
final class SetupService: Sendable {
    /// The maximum number of connections. Others are closed immediately.
    static let maximumConnections = 8
    /// The maximum lifetime of a connection. A configuration takes two requests.
    static let connectionTime = TimeAmount.seconds(30)
    /// The limits of a request.
    static let requestLimits = HTTPLimits(
        startLineLength: 1_024,
        headerLength: 4_096,
        bodyLength: WirelessSetupLimits.messageLength
    )

    /// The reply to a request, and the work to do once it was sent.
    struct Reply {
        var response: HTTPResponse
        var afterwards: (@Sendable () -> Void)?

        init(_ status: HTTPStatus, _ body: [UInt8] = [], afterwards: (@Sendable () -> Void)? = nil) {
            let headers: HTTPHeaders = body.isEmpty ? [:] : [HTTPHeaderName.contentType: SetupPath.contentType]
            response = HTTPResponse(status: status, headers: headers, body: body)
            self.afterwards = afterwards
        }
    }

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Whether a configuration or the confirmation was accepted. There is only one.
        var isTaken = false
    }

    private let role: SetupServer.Role
    private let state = Mutex(State())

    init(_ role: SetupServer.Role) {
        self.role = role
    }

    /// Adds a connection. Returns `false` if there are too many.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard state.channels.count < Self.maximumConnections else { return false }
            state.channels[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    func remove(_ channel: any Channel) {
        state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    func closeConnections() {
        let channels = state.withLock { Array($0.channels.values) }
        for channel in channels { channel.close(promise: nil) }
    }

    /// The accessory's side of a configuration on a new connection; `nil` if the server doesn't accept any.
    func responder() -> SetupResponder? {
        if case .unconfigured(let information, _) = role { SetupResponder(information: information) } else { nil }
    }

    /// Answers a request.
    ///
    /// - Parameter responder: The configuration on the request's connection.
    func answer(_ request: HTTPRequest, _ responder: inout SetupResponder?) -> Reply {
        guard request.method == .post else {
            return Reply(known(request.path) ? .methodNotAllowed : .notFound)
        }
        switch (request.path, role) {
        case (SetupPath.exchange, .unconfigured):
            return Self.reply { () throws(WirelessSetupError) in
                Reply(.ok, try responder?.exchange(request.body) ?? [])
            }
        case (SetupPath.configure, .unconfigured(_, let accept)):
            return Self.reply { () throws(WirelessSetupError) in
                guard let (configuration, body) = try responder?.configure(request.body) else { throw .outOfOrder }
                guard take() else { return Reply(.serviceUnavailable) }
                return Reply(.ok, body) { accept(configuration) }
            }
        case (SetupPath.configured, .joined(let confirm)):
            return take() ? Reply(.ok, afterwards: confirm) : Reply(.ok)
        default:
            return Reply(.notFound)
        }
    }

    private func known(_ path: String) -> Bool {
        switch role {
        case .unconfigured: [SetupPath.exchange, SetupPath.configure].contains(path)
        case .joined: path == SetupPath.configured
        }
    }

    private func take() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    private static func reply(_ body: () throws(WirelessSetupError) -> Reply) -> Reply {
        do {
            return try body()
        } catch {
            return Reply(error == .outOfOrder ? .connectionAuthorizationRequired : .badRequest)
        }
    }
}
