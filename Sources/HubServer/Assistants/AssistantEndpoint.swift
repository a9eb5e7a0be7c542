import Foundation
import HTTPTypes
import HomeHub
import HubAPI
import HummingbirdCore
import ModelContext
import NIOCore
import WebServer

/// Serves AI assistants over HTTP, as the Model Context Protocol's “streamable HTTP” does, without streams: each message is
/// the body of a `POST` request, and its reply that of the response.
///
/// A client of a revision with `initialize` gets a session, which it names in each request. One of a later revision has no
/// session; closing the connection cancels its request.
struct AssistantEndpoint: Sendable {
    /// The path that this part serves.
    static let path = "/mcp"

    private let service: AssistantService
    private let hub: HomeHub
    private let sessions: AssistantSessionRegistry
    private let limits: HTTPLimits
    private let messageBytes = MCPLimits().messageBytes

    init(_ service: AssistantService, hub: HomeHub, sessions: AssistantSessionRegistry, limits: HTTPLimits) {
        self.service = service
        self.hub = hub
        self.sessions = sessions
        self.limits = limits
    }

    private enum Route {
        case answer(HTTPAnswer)
        /// A request without a session.
        case alone([UInt8], AssistantSession)
    }

    /// Responds to a request.
    func respond(
        to request: inout Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        switch await route(&request, connection) {
        case .answer(let answer):
            try await answer.write(to: request, writer, on: connection)
        case .alone(let message, let session):
            defer { sessions.end(session) }
            let reply = try await request.body.consumeWithCancellationOnInboundClose { _ in
                await session.reply(to: message)
            }
            // Waiting for the end of the connection uses it up.
            try await Self.answer(reply).closing.write(to: request, writer, on: connection)
        }
    }

    private func route(_ request: inout Request, _ connection: RequestConnection) async -> Route {
        guard request.method == .post || request.method == .delete else { return .answer(.notAllowed("POST, DELETE")) }
        do throws(HubError) {
            let authority = try await hub.authority(ofToken: request.token)
            guard request.method == .post else { return .answer(end(request, authority.device)) }
            let reader = RequestBodyReader(time: limits.bodyTime)
            switch await reader.json(of: &request, upTo: messageBytes, connection.channel) {
            case .failure(let refusal): return .answer(refusal.answer)
            case .success(let body): return try await route(request, Array(body.readableBytesView), authority)
            }
        } catch {
            return .answer(HTTPAnswer(error))
        }
    }

    private func route(
        _ request: Request,
        _ message: [UInt8],
        _ authority: SessionAuthority
    ) async throws(HubError) -> Route {
        let envelope = MCPEnvelope(message)
        let version = request.headers[.mcpProtocolVersion]
        if envelope.version != nil {
            let headers = MCPEnvelope.Headers(
                version: version,
                method: request.headers[.mcpMethod],
                name: request.headers[.mcpName]
            )
            if let error = envelope.mismatch(with: headers) { return .answer(Self.refusal(.badRequest, error)) }
            guard envelope.isRequest else { return .answer(HTTPAnswer(.accepted)) }
            let session = session(as: authority)
            try sessions.begin(session)
            return .alone(message, session)
        }
        if let version, !MCPSession.handshakeVersions.contains(version) {
            let reason = "This server doesn't support the revision “\(version.prefix(40))” in MCP-Protocol-Version."
            return .answer(Self.refusal(.badRequest, .invalidRequest(reason)))
        }
        guard request.headers[.mcpSessionID] != nil || envelope.method == nil || envelope.method == "initialize" else {
            return .answer(
                Self.refusal(.badRequest, .invalidRequest("Call initialize first, then send Mcp-Session-Id."))
            )
        }
        guard let id = request.headers[.mcpSessionID] else {
            let session = session(as: authority)
            let reply = await session.reply(to: message)
            guard session.isGreeted else {
                // It did not call initialize.
                return .answer(Self.answer(reply, .badRequest))
            }
            try sessions.add(session)
            return .answer(Self.answer(reply).with(.mcpSessionID, session.id.uuidString))
        }
        guard let session = UUID(uuidString: id).flatMap({ sessions.session($0, of: authority.device) }) else {
            return .answer(Self.unknownSession)
        }
        return .answer(Self.answer(await session.reply(to: message)))
    }

    private func session(as authority: SessionAuthority) -> AssistantSession {
        let worker = service.worker { [hub] in InProcessTransport(to: hub, as: authority) }
        return AssistantSession(service.info, of: authority.device, worker: worker)
    }

    private func end(_ request: Request, _ device: UUID) -> HTTPAnswer {
        guard let id = request.headers[.mcpSessionID].flatMap({ UUID(uuidString: $0) }), sessions.remove(id, of: device)
        else { return Self.unknownSession }
        return HTTPAnswer(.noContent)
    }

    // MARK: Responses

    /// A client that gets this calls `initialize` again.
    private static let unknownSession = refusal(
        .notFound,
        .invalidRequest("There is no session with this Mcp-Session-Id. Call initialize.")
    )

    private static func refusal(_ status: HTTPResponse.Status, _ error: MCPError) -> HTTPAnswer {
        answer(MCPSession.refusal(error), status)
    }

    private static func answer(_ reply: [UInt8]?, _ status: HTTPResponse.Status = .ok) -> HTTPAnswer {
        guard let reply else { return HTTPAnswer(.accepted) }
        return HTTPAnswer(status, json: String(decoding: reply, as: UTF8.self))
    }
}

extension HTTPField.Name {
    static let mcpSessionID = known("Mcp-Session-Id")
    static let mcpProtocolVersion = known("MCP-Protocol-Version")
    static let mcpMethod = known("Mcp-Method")
    static let mcpName = known("Mcp-Name")
}
