internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Serves one request. Its response is sent before this returns, unless the connection waits for the registry.
    func handle(_ request: HTTPRequest, on connection: Connection) {
        let endpoint = HAPEndpoint(rawValue: request.path)
        guard let controller = connection.controller else {
            serveOpenly(request, endpoint, on: connection)
            return
        }
        // A pairing that was removed ends its sessions at once; this is for a request that was received before.
        guard let pairing = pairings[controller] else {
            respond(.unauthorized, to: connection)
            connection.closeAfterSending()
            return
        }
        serveSecurely(request, endpoint, isAdmin: pairing.permissions == .admin, controller, on: connection)
    }

    /// Sends a response.
    func respond(_ response: HTTPResponse, to connection: Connection) {
        connection.send(response.encoded())
    }

    /// Serves a request on a connection without a verified session.
    private func serveOpenly(_ request: HTTPRequest, _ endpoint: HAPEndpoint?, on connection: Connection) {
        guard let endpoint, endpoint.isOpenBeforeVerify else {
            respond(.unauthorized, to: connection)
            return
        }
        guard request.method == .post else {
            respond(HTTPResponse(status: .methodNotAllowed), to: connection)
            return
        }
        switch endpoint {
        case .pairSetup: setUp(request, on: connection)
        case .pairVerify: verify(request, on: connection)
        default: identify(connection)
        }
    }

    /// Serves a request on a connection with a verified session.
    private func serveSecurely(
        _ request: HTTPRequest,
        _ endpoint: HAPEndpoint?,
        isAdmin: Bool,
        _ controller: PairingID,
        on connection: Connection
    ) {
        switch (endpoint, request.method) {
        case (.accessories, .get):
            respond(HTTPResponse(status: .ok, json: database.encoded()), to: connection)
        case (.characteristics, .get):
            respond(read(request, isAdmin: isAdmin, on: connection), to: connection)
        case (.characteristics, .put):
            respond(write(request, isAdmin: isAdmin, controller, on: connection), to: connection)
        case (.prepare, .put):
            respond(prepare(request, on: connection), to: connection)
        case (.pairings, .post):
            manage(request, controller, on: connection)
        case (.pairSetup, .post), (.pairVerify, .post):
            respond(HTTPResponse(status: .badRequest), to: connection)
        case (.identify, .post):
            identify(connection)
        case (.accessories, _), (.characteristics, _), (.prepare, _), (.pairings, _), (.pairSetup, _), (.pairVerify, _),
            (.identify, _):
            respond(HTTPResponse(status: .methodNotAllowed), to: connection)
        case (.resource, _), (.secureMessage, _), (nil, _):
            respond(HTTPResponse(status: .notFound), to: connection)
        }
    }

    /// Serves `POST /identify`, which is for accessories that are not paired.
    private func identify(_ connection: Connection) {
        guard !isPaired else {
            respond(StatusBody(.insufficientPrivileges).response(.badRequest), to: connection)
            return
        }
        handlers.event(.identify(accessory: primaryKey))
        respond(HTTPResponse(status: .noContent), to: connection)
    }
}

extension HTTPResponse {
    /// The answer to what needs a verified session.
    fileprivate static let unauthorized =
        StatusBody(.insufficientAuthorization).response(.connectionAuthorizationRequired)
}
