package import HubAPI
import Logging
import TLS
import WebServer

extension HTTPServer {
    /// Opens the port; once this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - certificate: The server's certificate; `nil` for HTTP without encryption.
    ///   - respond: A closure that responds to requests.
    ///   - respondPlainly: A closure that responds to requests without encryption if the server has a certificate.
    /// - Throws: ``HubError`` with `httpRefused` if the port can't be opened.
    static func start(
        at address: HTTPAddress,
        limits: HTTPLimits,
        certificate: ServerCertificate? = nil,
        logger: Logger,
        respond: @escaping HTTPServerChannel.Respond,
        respondPlainly: @escaping HTTPServerChannel.Respond
    ) async throws(HubError) -> HTTPServer {
        var context: (@Sendable () -> TLSContext)?
        if let certificate { context = { certificate.context } }
        do throws(HTTPServerError) {
            return try await start(
                at: address,
                limits: limits.connection,
                context: context,
                logger: logger,
                respond: respond,
                respondPlainly: respondPlainly
            )
        } catch {
            throw HubError(.httpRefused, error.description)
        }
    }
}

extension HubError.Code {
    /// HTTP can't be served at the given address.
    package static let httpRefused = Self(rawValue: "httpRefused")
}
