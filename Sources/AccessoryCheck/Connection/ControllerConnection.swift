package import HAP
internal import HAPCatalog
package import NIOCore
internal import NIOPosix

/// A controller's TCP connection that is driven step by step. Nothing is retried, checked or repaired, so malformed
/// input can be sent, and whatever the accessory sends can be inspected.
///
/// It is a class because it is one connection. It belongs to one task.
package final class ControllerConnection {
    /// The accessory sent nothing for as long as the connection waits.
    package struct Silence: Error {}
    /// The connection closed before an expected message.
    package struct Closed: Error {}

    /// The events that preceded the awaited response.
    package private(set) var events: [EventMessage] = []

    private enum Signal: Sendable {
        case bytes([UInt8])
        case deadline(Int)
    }

    private let host: String
    private let channel: any Channel
    private let timeout: Duration
    private let transcript: Transcript?
    private let continuation: AsyncThrowingStream<Signal, any Error>.Continuation
    private var signals: AsyncThrowingStream<Signal, any Error>.Iterator
    private var deadlines = 0
    private var isOver = false
    private var reader = HTTPResponseReader()
    private var opener: FrameOpener?
    private var sealer: FrameSealer?

    /// Connects.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time for connecting, and for each wait.
    ///   - transcript: The record of all messages, if any.
    package static func open(
        host: String,
        port: Int,
        timeout: Duration,
        transcript: Transcript? = nil
    ) async throws -> ControllerConnection {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Signal.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(timeout))
            // Bytes are read only when they are awaited, so an accessory that floods fills its own buffers.
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Receiver { result in
                            switch result {
                            case .success(let bytes?): continuation.yield(.bytes(bytes))
                            case .success(nil): continuation.finish()
                            case .failure(let error): continuation.finish(throwing: error)
                            }
                        }
                    )
                }
            }
            .connect(host: host, port: port).get()
        return ControllerConnection(host, channel, timeout, transcript, stream, continuation)
    }

    private init(
        _ host: String,
        _ channel: any Channel,
        _ timeout: Duration,
        _ transcript: Transcript?,
        _ stream: AsyncThrowingStream<Signal, any Error>,
        _ continuation: AsyncThrowingStream<Signal, any Error>.Continuation
    ) {
        self.host = host
        self.channel = channel
        self.timeout = timeout
        self.transcript = transcript
        self.continuation = continuation
        signals = stream.makeAsyncIterator()
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Whether all bytes are framed.
    package var isSecured: Bool { sealer != nil }

    /// Sends bytes, which are framed once the connection is secured.
    package func send(_ bytes: [UInt8]) async throws {
        transcript?.add(.sent, bytes)
        try await transmit(try sealer?.seal(bytes) ?? bytes)
    }

    /// Sends bytes without framing.
    package func sendPlain(_ bytes: [UInt8]) async throws {
        transcript?.add(.sentRaw, bytes)
        try await transmit(bytes)
    }

    /// Frames bytes without sending them.
    package func sealed(_ bytes: [UInt8]) throws -> [UInt8] {
        try sealer?.seal(bytes) ?? bytes
    }

    private func transmit(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Returns the next message, or `nil` at the end of the connection.
    ///
    /// - Parameter timeout: The maximum time, if it differs from that of the connection.
    /// - Throws: ``Silence``; HAP's errors for malformed messages and frames.
    package func next(within timeout: Duration? = nil) async throws -> HTTPResponseReader.Message? {
        while true {
            if let message = try reader.next() {
                transcript?.add(message)
                return message
            }
            guard let received = try await receive(within: timeout ?? self.timeout) else { return nil }
            reader.receive(try opener?.open(received) ?? received)
        }
    }

    /// Waits for bytes. Returns `nil` at the end of the connection.
    private func receive(within timeout: Duration) async throws -> [UInt8]? {
        guard !isOver else { return nil }
        deadlines += 1
        let (number, continuation) = (deadlines, continuation)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) {
            _ = continuation.yield(.deadline(number))
        }
        defer { timer.cancel() }
        channel.read()
        while let signal = try await signals.next() {
            switch signal {
            case .bytes(let bytes): return bytes
            case .deadline(number): throw Silence()
            case .deadline: continue
            }
        }
        try Task.checkCancellation()
        isOver = true
        transcript?.add(.closed, [])
        return nil
    }

    /// Returns the next response. Events that precede it are added to ``events``.
    package func response() async throws -> HTTPResponse {
        while let message = try await next() {
            switch message {
            case .response(let response): return response
            case .event(let event): events.append(event)
            }
        }
        throw Closed()
    }

    /// Returns the body of the next event, which only other events may precede.
    package func event() async throws -> String {
        guard case .event(let event)? = try await next() else { throw Closed() }
        return String(decoding: event.body, as: UTF8.self)
    }

    /// Waits until the accessory closes the connection, and returns the messages before that.
    package func untilClosed() async throws -> [HTTPResponseReader.Message] {
        var messages: [HTTPResponseReader.Message] = []
        do {
            while let message = try await next() { messages.append(message) }
        } catch is IOError {
            // A reset counts as closed.
        }
        return messages
    }

    /// Waits until the accessory closes the connection, and ignores the messages before that.
    package func untilEnd() async throws {
        do {
            while try await receive(within: timeout) != nil {}
        } catch is IOError {
            // A reset counts as closed.
        }
    }

    /// Closes the connection. Returns once it is closed.
    package func close() async throws {
        do {
            try await channel.close()
        } catch ChannelError.alreadyClosed {
            // The accessory was first.
        }
    }

    /// Sends bytes without waiting for the accessory to read them.
    package func startSending(_ bytes: [UInt8]) throws -> EventLoopFuture<Void> {
        channel.writeAndFlush(ByteBuffer(bytes: try sealer?.seal(bytes) ?? bytes))
    }

    /// Sends single bytes slowly in the clear, until the task is canceled or the accessory closes the connection.
    package func trickle() -> Task<Void, Never> {
        let channel = channel
        return Task {
            while !Task.isCancelled, channel.isActive {
                try? await channel.writeAndFlush(ByteBuffer(bytes: [UInt8(ascii: "a")]))
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Frames all further messages with these keys.
    package func secure(accessoryToController: FrameKey, controllerToAccessory: FrameKey) {
        sealer = FrameSealer(key: controllerToAccessory)
        opener = FrameOpener(key: accessoryToController)
    }

    /// Frames all further messages with the keys that are derived from a secret: for what the controller reads, and
    /// for what it writes.
    package func secure(_ secret: [UInt8], _ salt: String, _ read: String, _ write: String) {
        guard let read = FrameKey(RawMessage.derive(secret, salt, read)),
            let write = FrameKey(RawMessage.derive(secret, salt, write))
        else { preconditionFailure("a derived key has 32 bytes") }
        secure(accessoryToController: read, controllerToAccessory: write)
    }
}

// MARK: Requests

extension ControllerConnection {
    /// Sends a `GET` request and waits for the response.
    package func get(_ target: String) async throws -> HTTPResponse {
        try await ask(HTTPRequest(.get, target, host: host))
    }

    /// Sends a `PUT` request with a HAP JSON body and waits for the response.
    package func put(_ target: String, _ json: String) async throws -> HTTPResponse {
        let type = HAPContentType.json
        return try await ask(HTTPRequest(.put, target, host: host, contentType: type, body: Array(json.utf8)))
    }

    /// Sends a `POST` request with a pairing message and waits for the response.
    package func post(_ target: String, _ body: [UInt8] = []) async throws -> HTTPResponse {
        try await ask(HTTPRequest(.post, target, host: host, contentType: HAPContentType.pairing, body: body))
    }

    /// Sends a request and waits for the response.
    package func ask(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await send(request.encoded())
        return try await response()
    }

    /// Verifies and secures the connection.
    package func verify(_ controller: ControllerIdentity, _ accessory: PairedAccessory) async throws {
        var random = SystemRandomNumberGenerator()
        var exchange = PairVerifyController(identity: controller, accessory: accessory)
        let m3 = try exchange.handleM2(try await post("/pair-verify", exchange.start(using: &random)).body)
        let keys = try exchange.handleM4(try await post("/pair-verify", m3).body)
        secure(accessoryToController: keys.accessoryToController, controllerToAccessory: keys.controllerToAccessory)
    }

    /// Pairs, and throws the accessory's error.
    package func pair(_ controller: ControllerIdentity, code: SetupCode) async throws -> PairedAccessory {
        var random = SystemRandomNumberGenerator()
        var exchange = PairSetupController(identity: controller, setupCode: code, expecting: nil)
        let m3 = try exchange.handleM2(try await post("/pair-setup", exchange.start()).body, using: &random)
        let m5 = try exchange.handleM4(try await post("/pair-setup", m3).body)
        return try exchange.handleM6(try await post("/pair-setup", m5).body)
    }

    /// Sends `POST /pairings`.
    package func manage(_ request: PairingsRequest) async throws -> PairingsResponse {
        try PairingsResponse(decoding: try await post("/pairings", request.encoded()).body, to: request)
    }
}

extension HTTPResponse {
    /// The body as a string.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// A handler that passes received bytes on.
private final class Receiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let yield: (Result<[UInt8]?, any Error>) -> Void

    init(_ yield: @escaping (Result<[UInt8]?, any Error>) -> Void) {
        self.yield = yield
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        yield(.success(Array(unwrapInboundIn(data).readableBytesView)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        yield(.success(nil))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        yield(.failure(error))
        context.close(promise: nil)
    }
}
