import Foundation
import HTTPTypes
import HomeHub
import HubAPI
import HummingbirdCore
import NIOCore
import WebServer

/// Opens logical connections and sends their events as server-sent events.
struct EventEndpoint: Sendable {
    /// The path of streams.
    static let path = "/api/events"

    /// A stream that is about to be sent.
    struct Opened: Sendable {
        fileprivate var stream: EventStream
        fileprivate var welcome: Welcome
        fileprivate var isResumed: Bool
        /// The number of the last event that the client has; `nil` for none.
        fileprivate var after: Int?
    }

    private let hub: HomeHub
    private let streams: EventStreamRegistry
    private let limits: HTTPLimits
    /// The hash of the page's files.
    private let assets: String

    init(hub: HomeHub, streams: EventStreamRegistry, limits: HTTPLimits, assets: String) {
        self.hub = hub
        self.streams = streams
        self.limits = limits
        self.assets = assets
    }

    // MARK: Opening

    /// Opens the logical connection of a `POST` request, or continues the one that it names.
    func open(for request: inout Request, _ channel: any Channel) async -> Result<Opened, Refusal> {
        do throws(HubError) {
            let authority = try await hub.authority(ofToken: request.token)
            let id = try request.id(.hearthStream)
            let reader = RequestBodyReader(time: limits.bodyTime)
            let body = await reader.json(of: &request, upTo: limits.bodyBytes, channel)
            let parameters: StreamRequest
            switch body {
            case .failure(let refusal): return .failure(refusal)
            case .success(let body): parameters = try body.decoded(as: StreamRequest.self)
            }
            guard let id, let stream = try? streams.stream(id, of: authority.device), let welcome = stream.welcome
            else { return .success(try await open(parameters, as: authority)) }
            let after = request.headers[.lastEventID].flatMap { Self.number(of: $0, run: welcome.run) }
            return .success(Opened(stream: stream, welcome: welcome, isResumed: true, after: after))
        } catch {
            return .failure(Refusal(error))
        }
    }

    private func open(
        _ request: StreamRequest,
        as authority: SessionAuthority
    ) async throws(HubError) -> Opened {
        let stream = EventStream(to: hub, as: authority, limits: limits, streams.dispatcher)
        do throws(HubError) {
            try streams.add(stream)
            let welcome = try await stream.greet(request)
            stream.welcome = welcome
            // The device may have been signed out before the hub knew of the session.
            guard await hub.isSignedIn(authority.device) else { throw EventStream.over }
            return Opened(stream: stream, welcome: welcome, isResumed: false, after: 0)
        } catch {
            stream.close(error)
            throw error
        }
    }

    /// Returns the number in an event's ID.
    private static func number(of id: String, run: UUID) -> Int? {
        let parts = id.split(separator: ".")
        guard parts.count == 2, parts[0] == run.uuidString else { return nil }
        return Int(parts[1])
    }

    // MARK: Sending

    /// Sends events until the stream or the logical connection is over.
    func send(
        _ opened: Opened,
        _ request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        let (stream, welcome, reader) = (opened.stream, opened.welcome, UUID())
        var head = HTTPResponse(status: .ok, headerFields: HTTPAnswer.commonHeaders)
        head.headerFields[.contentType] = "text/event-stream"
        head.headerFields[.cacheControl] = "no-store"
        let hello = Greeting(welcome: welcome, stream: stream.id, assets: assets, resumed: opened.isResumed)
        let greeting = "event: hello\ndata: \(String(decoding: try JSONEncoder().encode(hello), as: UTF8.self))\n\n"
        var body = try await writer.writeHead(head)
        try await body.write(ByteBuffer(string: greeting))
        // The greeting is on its way, so what the channel's event loop writes from now on follows it.
        streams.attach(stream, reader, to: connection, run: welcome.run.uuidString, after: opened.after)
        defer { streams.detach(stream, reader) }
        try await request.body.consumeWithInboundCloseHandler { _ in
            await stream.finished(reader)
        } onInboundClosed: { [streams] in
            streams.detach(stream, reader)
        }
        try await body.finish(nil)
    }

    private struct Greeting: Encodable {
        var welcome: Welcome
        var stream: UUID
        var assets: String
        var resumed: Bool

        private enum CodingKeys: String, CodingKey {
            case stream, assets, resumed
        }

        func encode(to encoder: any Encoder) throws {
            try welcome.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(stream, forKey: .stream)
            try container.encode(assets, forKey: .assets)
            try container.encode(resumed, forKey: .resumed)
        }
    }
}

extension EventStream {
    /// Starts the session of the connection.
    func greet(_ request: StreamRequest) async throws(HubError) -> Welcome {
        let hello = Hello(
            version: request.version ?? HubProtocol.version,
            app: "hearth.page",
            purpose: request.purpose ?? "Shows the homes.",
            seen: request.seen,
            former: request.former,
            subscriptions: request.subscriptions
        )
        let encoded = try EncodedCall(HubMethods.hello, hello)
        let reply = await call(encoded.method.name, encoded.body)
        return try encoded.method.decode(try reply.reply.result.get()).get()
    }
}
