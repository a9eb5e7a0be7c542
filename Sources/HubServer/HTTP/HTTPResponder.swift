import Foundation
import HTTPTypes
import HomeHub
import HomeModel
import HubAPI
import HummingbirdCore
import LocalRPC
import Logging
import NIOCore

/// Responds to the requests of HTTP clients: the page's files, signing in, the hub's methods, and streams of events.
struct HTTPResponder: Sendable {
    /// The connection must be closed, because the rest of a request isn't read.
    private struct ConnectionEnd: Error {}

    let hub: HomeHub
    let streams: EventStreamRegistry
    let files: PageFiles
    let origin: RequestOrigin
    let limits: HTTPLimits
    /// The names of the methods that can be called.
    let methods: Set<String>
    /// The description of the interface.
    let description: ByteBuffer

    init(
        hub: HomeHub,
        streams: EventStreamRegistry,
        files: PageFiles,
        origin: RequestOrigin,
        limits: HTTPLimits
    ) {
        self.hub = hub
        self.streams = streams
        self.files = files
        self.origin = origin
        self.limits = limits
        let described = hub.methods.filter { $0.name != HubMethods.hello.name }
        methods = Set(described.map(\.name))
        description = ByteBuffer(bytes: (try? OpenAPIDocument.json(of: described)) ?? Data())
    }

    /// Responds to a request.
    @Sendable func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on channel: any Channel
    ) async throws {
        var request = request
        if let refusal = origin.refusal(of: request.head, at: channel.localAddress) {
            return try await write(refusal, to: &request, writer, channel)
        }
        if request.uri.path == Self.eventsPath, request.method == .post {
            return try await openStream(&request, writer, channel)
        }
        let answer = await answer(to: &request, channel)
        try await write(answer, to: &request, writer, channel)
    }

    private static let eventsPath = "/api/events"
    private static let methodPrefix = "/api/"
    private static let assetPrefix = "/assets/"

    private func write(
        _ answer: HTTPAnswer,
        to request: inout Request,
        _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        var head = HTTPResponse(status: answer.status, headerFields: HTTPAnswer.commonHeaders)
        for field in answer.headers { head.headerFields[field.name] = field.value }
        head.headerFields[.contentLength] = "\(answer.body.readableBytes)"
        let body = request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: answer.body)
        try await writer.write(response: head, body: body)
        if answer.closesConnection { throw ConnectionEnd() }
    }

    // MARK: Routes

    private func answer(to request: inout Request, _ channel: any Channel) async -> HTTPAnswer {
        let path = request.uri.path
        switch path {
        case "/login": return await answer(&request, channel, signIn)
        case "/renew": return await answer(&request, channel, renew)
        case "/logout": return await answer(&request, channel, signOut)
        case Self.eventsPath: return Self.notAllowed("POST")
        default: break
        }
        if path.hasPrefix(Self.methodPrefix) { return await call(&request, channel) }
        guard request.method == .get || request.method == .head else { return Self.notAllowed("GET, HEAD") }
        if path == "/api" { return HTTPAnswer(type: "application/json", description, [.cacheControl: "no-store"]) }
        if path.hasPrefix(Self.assetPrefix) { return asset(path.dropFirst(Self.assetPrefix.count), request) }
        // The page shows what its own paths mean.
        guard !path.contains(".") else { return Self.notFound }
        return Self.answer(files.index, to: request).with(.cacheControl, "no-store")
    }

    private static let notFound = HTTPAnswer(
        .notFound,
        type: "text/plain; charset=utf-8",
        ByteBuffer(string: "Not found.\n")
    )

    private static func notAllowed(_ methods: String) -> HTTPAnswer {
        HTTPAnswer(.methodNotAllowed, type: "text/plain; charset=utf-8", ByteBuffer(string: "Use \(methods).\n"))
            .with(.allow, methods)
    }

    private func asset(_ path: Substring, _ request: Request) -> HTTPAnswer {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // A page of another version must not mix its files with these.
        guard parts.count == 2, parts[0] == files.hash, let file = files.files[String(parts[1])] else {
            return Self.notFound.with(.cacheControl, "no-store")
        }
        return Self.answer(file, to: request).with(.cacheControl, "public, max-age=31536000, immutable")
    }

    private static func answer(_ file: PageFiles.File, to request: Request) -> HTTPAnswer {
        guard let compressed = file.compressed, accepts("gzip", request.headers[.acceptEncoding]) else {
            return HTTPAnswer(type: file.type, file.bytes, [.vary: "Accept-Encoding"])
        }
        return HTTPAnswer(type: file.type, compressed, [.vary: "Accept-Encoding", .contentEncoding: "gzip"])
    }

    /// Returns whether a client accepts a content coding.
    private static func accepts(_ coding: String, _ field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return parts.first == coding && weight != 0
        }
    }

    // MARK: Bodies

    /// Reads a request's JSON.
    ///
    /// - Returns: The body, or the response to a request without a valid one.
    private func body(
        of request: inout Request,
        upTo limit: Int,
        _ channel: any Channel
    ) async -> Result<ByteBuffer, BodyRefusal> {
        guard Self.isJSON(request.headers[.contentType]) else {
            let error = HubError(.malformedMessage, "The request must have the Content-Type application/json.")
            var answer = HTTPAnswer(error)
            answer.status = .unsupportedMediaType
            return .failure(BodyRefusal(answer: answer.closing))
        }
        let isTooLarge = BodyRefusal.tooLarge(limit)
        // A client that sends its body too slowly is disconnected.
        let time = TimeAmount.nanoseconds(Int64(limits.bodyTime / .nanoseconds(1)))
        let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        do {
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
                // Most clients read the response only once they have sent the body.
                var rest = 8 * limit
                for try await bytes in request.body where rest > 0 { rest -= bytes.readableBytes }
                return .failure(isTooLarge)
            }
            return .success(try await request.collectBody(upTo: limit))
        } catch {
            return .failure(isTooLarge)
        }
    }

    private struct BodyRefusal: Error {
        var answer: HTTPAnswer

        static func tooLarge(_ limit: Int) -> BodyRefusal {
            var answer = HTTPAnswer(HubError(.malformedMessage, "The body is longer than \(limit) bytes."))
            answer.status = .contentTooLarge
            return BodyRefusal(answer: answer.closing)
        }
    }

    private static func isJSON(_ type: String?) -> Bool {
        type?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ body: ByteBuffer) throws(HubError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw HubError(.malformedMessage, "The request is invalid: \(error.location).")
        } catch {
            throw HubError(.malformedMessage, "The request cannot be read.")
        }
    }

    // MARK: Signing in

    private func answer(
        _ request: inout Request,
        _ channel: any Channel,
        _ handle: (Request, ByteBuffer, any Channel) async throws(HubError) -> HTTPAnswer
    ) async -> HTTPAnswer {
        guard request.method == .post else { return Self.notAllowed("POST") }
        switch await body(of: &request, upTo: limits.signInBytes, channel) {
        case .failure(let refusal): return refusal.answer
        case .success(let body):
            do throws(HubError) {
                return try await handle(request, body, channel)
            } catch {
                return HTTPAnswer(error)
            }
        }
    }

    private func signIn(
        _ request: Request,
        _ body: ByteBuffer,
        _ channel: any Channel
    ) async throws(HubError) -> HTTPAnswer {
        let body = try Self.decoded(SignInBody.self, body)
        let signIn = try await hub.signIn(
            code: body.code,
            name: body.name ?? "",
            staysSignedIn: body.staySignedIn ?? false,
            from: channel.remoteAddress?.network ?? ""
        )
        return try Self.answer(signIn)
    }

    private func renew(
        _ request: Request,
        _ body: ByteBuffer,
        _ channel: any Channel
    ) async throws(HubError) -> HTTPAnswer {
        try Self.answer(try await hub.renewSignIn(try Self.decoded(RenewalBody.self, body).credential))
    }

    private func signOut(
        _ request: Request,
        _ body: ByteBuffer,
        _ channel: any Channel
    ) async throws(HubError) -> HTTPAnswer {
        try await hub.signOut(Self.token(of: request))
        return HTTPAnswer(json: "{}")
    }

    private static func answer(_ signIn: SignIn) throws(HubError) -> HTTPAnswer {
        let body = SignInReply(
            token: signIn.token,
            expiresIn: signIn.expiresIn,
            credential: signIn.credential,
            user: SignInReply.User(name: signIn.userName),
            device: signIn.device
        )
        do {
            return HTTPAnswer(json: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
        } catch {
            throw HubError(.hubFailure, "The hub could not write its reply: \(error).")
        }
    }

    /// Returns the token of a request; an empty one if there is none.
    private static func token(of request: Request) -> String {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
        return String(parts[1])
    }

    // MARK: Methods

    private func call(_ request: inout Request, _ channel: any Channel) async -> HTTPAnswer {
        guard request.method == .post else { return Self.notAllowed("POST") }
        do throws(HubError) {
            let authority = try await hub.authority(ofToken: Self.token(of: request))
            let method = String(request.uri.path.dropFirst(Self.methodPrefix.count))
            guard methods.contains(method) else {
                throw HubError(.unknownMethod, "The hub has no method “\(method.prefix(80))”.")
            }
            let key = try Self.id(.hearthKey, in: request)
            let id = try Self.id(.hearthStream, in: request)
            switch await body(of: &request, upTo: limits.bodyBytes, channel) {
            case .failure(let refusal): return refusal.answer
            case .success(let body):
                let parameters = Data(body.readableBytesView)
                guard let id else { return try await callAlone(method, parameters, key, authority) }
                let stream = try streams.stream(id, of: authority.device)
                let reply = await stream.call(method, parameters, key: key)
                return Self.answer(reply.reply, after: reply.after)
            }
        } catch {
            return HTTPAnswer(error)
        }
    }

    /// Calls a method on a connection of its own.
    private func callAlone(
        _ method: String,
        _ parameters: Data,
        _ key: UUID?,
        _ authority: SessionAuthority
    ) async throws(HubError) -> HTTPAnswer {
        let connection = EventStream(to: hub, as: authority, limits: limits, keepsEvents: false)
        defer { connection.close() }
        _ = try await Self.greet(connection, StreamRequest())
        return Self.answer(await connection.call(method, parameters, key: key).reply, after: nil)
    }

    private static func answer(_ reply: HubReply, after: Int?) -> HTTPAnswer {
        switch reply.result {
        case .success(let result):
            var body = ByteBuffer(string: #"{"result":"#)
            body.writeBytes(result)
            if let after { body.writeString(#","after":\#(after)"#) }
            if !reply.follows.isEmpty { body.writeString(#","follows":[\#(HubEvent.json(reply.follows))]"#) }
            body.writeString("}")
            return HTTPAnswer(type: "application/json", body, [.cacheControl: "no-store"])
        case .failure(let error):
            return HTTPAnswer(error, after: after)
        }
    }

    private static func id(_ name: HTTPField.Name, in request: Request) throws(HubError) -> UUID? {
        guard let text = request.headers[name] else { return nil }
        guard let id = UUID(uuidString: text) else { throw HubError(.malformedMessage, "\(name) must be a UUID.") }
        return id
    }

    // MARK: Streams

    /// Starts the session of a connection.
    private static func greet(_ stream: EventStream, _ request: StreamRequest) async throws(HubError) -> Welcome {
        let hello = Hello(
            version: request.version ?? HubProtocol.version,
            app: "hearth.page",
            purpose: request.purpose ?? "Shows the homes.",
            seen: request.seen,
            former: request.former,
            subscriptions: request.subscriptions
        )
        let call = try EncodedCall(HubMethods.hello, hello)
        let reply = await stream.call(call.method.name, call.body)
        return try call.method.decode(try reply.reply.result.get()).get()
    }

    private func openStream(
        _ request: inout Request,
        _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        let opening: Opening
        do throws(HubError) {
            opening = try await opened(&request, channel)
        } catch {
            opening = .refused(HTTPAnswer(error))
        }
        switch opening {
        case .refused(let answer): try await write(answer, to: &request, writer, channel)
        case .opened(let stream, let welcome, let isResumed, let after):
            try await send(stream, welcome, isResumed, after: after, request, writer, channel)
        }
    }

    /// The outcome of a request for a stream.
    private enum Opening {
        case refused(HTTPAnswer)
        case opened(EventStream, Welcome, isResumed: Bool, after: Int?)
    }

    private func opened(_ request: inout Request, _ channel: any Channel) async throws(HubError) -> Opening {
        let authority = try await hub.authority(ofToken: Self.token(of: request))
        let id = try Self.id(.hearthStream, in: request)
        let parameters: StreamRequest
        switch await body(of: &request, upTo: limits.bodyBytes, channel) {
        case .failure(let refusal): return .refused(refusal.answer)
        case .success(let body): parameters = try Self.decoded(StreamRequest.self, body)
        }
        guard let id, let stream = try? streams.stream(id, of: authority.device), let welcome = stream.welcome else {
            return try await open(parameters, as: authority)
        }
        let after = request.headers[.lastEventID].flatMap { Self.number(of: $0, run: welcome.run) }
        return .opened(stream, welcome, isResumed: true, after: after)
    }

    private func open(
        _ request: StreamRequest,
        as authority: SessionAuthority
    ) async throws(HubError) -> Opening {
        let stream = EventStream(to: hub, as: authority, limits: limits)
        do throws(HubError) {
            try streams.add(stream)
            let welcome = try await Self.greet(stream, request)
            stream.welcome = welcome
            // The device may have been signed out before the hub knew of the session.
            guard await hub.isSignedIn(authority.device) else { throw EventStream.over }
            return .opened(stream, welcome, isResumed: false, after: 0)
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

    private func send(
        _ stream: EventStream,
        _ welcome: Welcome,
        _ isResumed: Bool,
        after: Int?,
        _ request: Request,
        _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        let reader = UUID()
        var head = HTTPResponse(status: .ok, headerFields: HTTPAnswer.commonHeaders)
        head.headerFields[.contentType] = "text/event-stream"
        head.headerFields[.cacheControl] = "no-store"
        let hello = Greeting(welcome: welcome, stream: stream.id, assets: files.hash, resumed: isResumed)
        let greeting = "event: hello\ndata: \(String(decoding: try JSONEncoder().encode(hello), as: UTF8.self))\n\n"
        var body = try await writer.writeHead(head)
        try await body.write(ByteBuffer(string: greeting))
        streams.attach(stream, reader, after: after, isLimited: true)
        defer { streams.detach(stream, reader) }
        try await request.body.consumeWithInboundCloseHandler { _ in
            while let part = await stream.next(for: reader, run: welcome.run.uuidString) {
                switch part {
                case .events(let bytes):
                    try await body.write(ByteBuffer(bytes: bytes))
                    stream.recordWritten()
                case .heartbeat:
                    try await body.write(ByteBuffer(string: ":\n\n"))
                case .end(let bytes):
                    try await body.write(ByteBuffer(bytes: bytes))
                    return
                }
            }
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

extension SocketAddress {
    /// The network that an address belongs to for limits: the address itself for IPv4, the first 64 bits for IPv6.
    var network: String? {
        guard case .v6(let address) = self, let text = ipAddress, !text.hasPrefix("::ffff:") else { return ipAddress }
        return withUnsafeBytes(of: address.address.sin6_addr) { bytes in
            bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        }
    }
}
