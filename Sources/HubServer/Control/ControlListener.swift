import Crypto
import Foundation
package import HubAPI
package import Logging
package import WebServer

/// A listener that serves a page which controls a program, such as the simulator: the page's files, the program's methods
/// and its events. Requests need the token that is part of the page's address.
package final class ControlListener: Sendable {
    // This is a class because it is one open socket that is stopped once.

    private let server: HTTPServer
    private let responder: ControlResponder
    private let token: String

    private init(server: HTTPServer, responder: ControlResponder, token: String) {
        self.server = server
        self.responder = responder
        self.token = token
    }

    /// The address of the page, with the token after `#`. A browser doesn't send that part.
    package var url: String { "http://\(server.address)/#token=\(token)" }

    /// Opens the port; once this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - index: The name of the page's first file.
    ///   - backend: The program.
    /// - Throws: ``HubError`` with `httpRefused` if the port can't be opened.
    package static func start(
        at address: HTTPAddress,
        index: String,
        backend: any ControlBackend,
        logger: Logger
    ) async throws(HubError) -> ControlListener {
        try await start(
            at: address,
            files: .embedded(index: index),
            backend: backend,
            limits: HTTPLimits(),
            clock: ContinuousClock(),
            logger: logger
        )
    }

    /// Opens the port with other files and limits.
    static func start(
        at address: HTTPAddress,
        files: PageFiles,
        backend: any ControlBackend,
        limits: HTTPLimits,
        clock: any Clock<Duration>,
        logger: Logger
    ) async throws(HubError) -> ControlListener {
        let token = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let responder = ControlResponder(
            backend: backend,
            page: PageEndpoint(files: files),
            tokenDigest: ControlResponder.digest(token),
            limits: limits,
            clock: clock
        )
        let server = try await HTTPServer.start(
            at: address,
            limits: limits,
            logger: logger,
            respond: responder.respond,
            respondPlainly: responder.respond
        )
        return ControlListener(server: server, responder: responder, token: token)
    }

    /// Ends all streams and closes the port and all connections.
    package func stop() async {
        responder.streams.stop()
        await server.stop()
    }
}
