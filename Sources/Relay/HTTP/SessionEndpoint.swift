import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import RelayAPI
import WebServer

/// Exchanges proofs for tokens, and checks tokens.
struct SessionEndpoint: Sendable {
    /// The header with the addresses that a request was forwarded for.
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    let secret: [UInt8]
    let gate: RequestGate
    let bodyTime: Duration

    /// Responds to a proof.
    func open(
        _ request: inout Request,
        host: String,
        on connection: RequestConnection,
        at now: Int64
    ) async throws -> HTTPAnswer {
        // The address counts before anything is computed.
        try gate.countAttempt(from: Self.address(of: request, on: connection), at: now)
        let reader = RequestBodyReader(time: bodyTime)
        let body: ByteBuffer
        switch await reader.bytes(of: &request, upTo: RelayLimits.jsonBytes, connection.channel) {
        case .success(let bytes): body = bytes
        case .failure(let error): throw RelayError(.tooLarge, "The body is longer than \(error.limit) bytes.")
        }
        guard let proof = try? JSONDecoder().decode(SessionProof.self, from: Data(body.readableBytesView)) else {
            throw RelayError.malformed("The body isn't a proof: an object with key, time, nonce and signature.")
        }
        try proof.check(host: SessionProof.signedHost(host), now: now)
        try gate.countSession(of: proof.key, at: now)
        let token = SessionToken(proof.key, expires: now / 1_000 + RelayLimits.tokenSeconds)
        return HTTPAnswer(encoding: SessionReply(token: token.text(secret: secret), expires: token.expires * 1_000))
    }

    /// Returns the key of a request's session.
    func token(of request: Request, at now: Int64) throws(RelayError) -> SessionToken {
        guard let token = SessionToken(request.token, secret: secret, now: now / 1_000) else {
            throw RelayError(.noSession, "The request needs the token of a session. Get one with POST /v1/session.")
        }
        return token
    }

    /// Returns the network address that a request comes from. Only a proxy on this machine is believed about others.
    static func address(of request: Request, on connection: RequestConnection) -> String {
        let own = connection.channel.remoteAddress?.network ?? ""
        guard connection.isLocal, let name = forwardedFor, let text = request.headers[name] else { return own }
        let last = text.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) ?? ""
        return (try? SocketAddress(ipAddress: last, port: 0))?.network ?? own
    }
}
