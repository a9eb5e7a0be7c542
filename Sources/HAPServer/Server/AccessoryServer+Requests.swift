internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Handles one request. Its response is sent before this returns, unless the connection waits for the registry.
    func handle(_ request: HTTPRequest, on connection: Connection) {
        let endpoint = request.endpoint
        guard let controller = connection.controller else {
            if connection.isTransient {
                serveTransiently(request, endpoint, on: connection)
            } else {
                serveOpenly(request, endpoint, on: connection)
            }
            return
        }
        // Removing a pairing closes its sessions immediately; this rejects a request that was received before.
        guard let permissions = pairings.permissions(of: controller) else {
            respond(.unauthorized, to: connection)
            connection.closeAfterSending()
            return
        }
        serveSecurely(request, endpoint, isAdmin: permissions == .admin, controller, on: connection)
    }

    /// Sends a response.
    func respond(_ response: HTTPResponse, to connection: Connection) {
        record(.response(response), on: connection)
        guard hasRewriter, let rewriter = configuration.rewriter else {
            connection.send(response)
            return
        }
        connection.send(rewriter.response(response, connection.lastRequest, connection.id))
    }

    /// Handles a request on a connection without a verified session.
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

    /// Handles a request on the session of a transient pair-setup, which has no controller and no permissions.
    private func serveTransiently(_ request: HTTPRequest, _ endpoint: HAPEndpoint?, on connection: Connection) {
        switch (endpoint, request.method) {
        case (.identify, .post): identify(connection)
        case (.secureMessage, .post): respond(message(request), to: connection)
        case (.identify, _), (.secureMessage, _): respond(HTTPResponse(status: .methodNotAllowed), to: connection)
        case (nil, _): respond(HTTPResponse(status: .notFound), to: connection)
        default: respond(HTTPResponse(status: .badRequest), to: connection)
        }
    }

    /// Handles a request on a connection with a verified session.
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
        case (.secureMessage, .post):
            respond(message(request), to: connection)
        case (.accessories, _), (.characteristics, _), (.prepare, _), (.pairings, _), (.pairSetup, _), (.pairVerify, _),
            (.identify, _), (.secureMessage, _):
            respond(HTTPResponse(status: .methodNotAllowed), to: connection)
        case (.resource, _), (nil, _):
            respond(HTTPResponse(status: .notFound), to: connection)
        }
    }

    /// Handles `POST /secure-message`. No operation is supported; each is answered with an error.
    private func message(_ request: HTTPRequest) -> HTTPResponse {
        guard request.headers[HTTPHeaderName.contentType] == HAPContentType.octets,
            let message = SecureMessageRequest(decoding: request.body)
        else { return HTTPResponse(status: .badRequest) }
        let status: SecureMessageResponse.Status = message.iid == 0 ? .unsupported : .invalidInstanceID
        return HTTPResponse(
            status: .ok,
            headers: [HTTPHeaderName.contentType: HAPContentType.octets],
            body: SecureMessageResponse(to: message, status: status).encoded()
        )
    }

    /// Handles `POST /identify`, which is allowed only on unpaired accessories.
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
    /// The response to a request that requires a verified session.
    fileprivate static let unauthorized =
        StatusBody(.insufficientAuthorization).response(.connectionAuthorizationRequired)
}
