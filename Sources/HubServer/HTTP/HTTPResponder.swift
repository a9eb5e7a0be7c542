import Foundation
import HTTPTypes
import HomeHub
import HubAPI
import HummingbirdCore
import NIOCore
import WebServer

/// Responds to the requests of HTTP clients: checks that they are for this hub, and passes them to the part of their path.
struct HTTPResponder: Sendable {
    private let origin: RequestOrigin
    private let page: PageEndpoint
    private let trust: TrustEndpoint?
    private let signIn: SignInEndpoint
    private let methods: MethodEndpoint
    private let events: EventEndpoint
    private let transfers: FileEndpoint
    private let assistants: AssistantEndpoint?
    /// The description of the interface.
    private let description: ByteBuffer

    init(
        hub: HomeHub,
        streams: EventStreamRegistry,
        files: PageFiles,
        origin: RequestOrigin,
        trust: TrustEndpoint?,
        assistants: AssistantEndpoint?,
        limits: HTTPLimits
    ) {
        self.origin = origin
        self.trust = trust
        self.assistants = assistants
        let described = hub.methods.filter { $0.name != HubMethods.hello.name }
        page = PageEndpoint(files: files)
        signIn = SignInEndpoint(hub: hub, limits: limits)
        methods = MethodEndpoint(hub: hub, streams: streams, limits: limits, names: Set(described.map(\.name)))
        events = EventEndpoint(hub: hub, streams: streams, limits: limits, assets: files.hash)
        transfers = FileEndpoint(hub: hub, limits: limits)
        description = ByteBuffer(bytes: (try? OpenAPIDocument.json(of: described)) ?? Data())
    }

    /// Responds to a request.
    @Sendable func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        var request = request
        if let refusal = origin.refusal(of: request.head, at: connection.channel.localAddress) {
            return try await refusal.write(to: request, writer, on: connection)
        }
        if let assistants, request.uri.path == AssistantEndpoint.path {
            return try await assistants.respond(to: &request, writer, on: connection)
        }
        guard request.uri.path == EventEndpoint.path, request.method == .post else {
            if let path = FileEndpoint.Path(rawValue: request.uri.path), request.method == .post {
                return try await transfers.respond(to: &request, path, writer, on: connection)
            }
            let answer = await answer(to: &request, on: connection)
            return try await answer.write(to: request, writer, on: connection)
        }
        switch await events.open(for: &request, connection.channel) {
        case .failure(let refusal): try await refusal.answer.write(to: request, writer, on: connection)
        case .success(let opened): try await events.send(opened, request, writer, on: connection)
        }
    }

    private func answer(to request: inout Request, on connection: RequestConnection) async -> HTTPAnswer {
        let path = request.uri.path
        if let endpoint = SignInEndpoint.Path(rawValue: path) {
            guard request.method == .post else { return .notAllowed("POST") }
            return await signIn.answer(to: &request, endpoint, connection.channel)
        }
        if path.hasPrefix(MethodEndpoint.prefix) {
            guard request.method == .post else { return .notAllowed("POST") }
            return await methods.answer(to: &request, on: connection)
        }
        guard request.method == .get || request.method == .head else {
            return .notAllowed(FileEndpoint.Path(rawValue: path) == nil ? "GET, HEAD" : "GET, HEAD, POST")
        }
        guard path != "/api" else {
            return HTTPAnswer(type: "application/json", description, [.cacheControl: "no-store"])
        }
        return trust?.answer(to: path) ?? page.answer(to: request)
    }
}
