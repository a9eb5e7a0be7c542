import HAP
import HAPCatalog
import NIOCore
import NIOPosix
import PeerProcess
import Testing

/// A controller's TCP connection that a test drives step by step.
final class ControllerConnection {
    /// The connection was idle for longer than any response takes.
    struct Silence: Error {}
    /// The connection closed before an expected response.
    struct Closed: Error {}

    /// The events that preceded the awaited response.
    private(set) var events: [EventMessage] = []

    private let channel: any Channel
    private var bytes: AsyncThrowingStream<[UInt8], any Error>.Iterator
    private var reader = HTTPResponseReader()
    private var opener: FrameOpener?
    private var sealer: FrameSealer?

    static func open(_ port: Int) async throws -> ControllerConnection {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let limit = TimeAmount(Wait.limit)
                    try channel.pipeline.syncOperations.addHandlers(
                        IdleStateHandler(allTimeout: limit),
                        Receiver(continuation)
                    )
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return ControllerConnection(channel, stream)
    }

    private init(_ channel: any Channel, _ stream: AsyncThrowingStream<[UInt8], any Error>) {
        self.channel = channel
        bytes = stream.makeAsyncIterator()
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Sends bytes, which are framed once the connection is secured.
    func send(_ bytes: [UInt8]) async throws {
        try await sendPlain(try sealer?.seal(bytes) ?? bytes)
    }

    /// Sends bytes without framing.
    func sendPlain(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Returns the next message, or `nil` at the end of the connection.
    func next() async throws -> HTTPResponseReader.Message? {
        while true {
            if let message = try reader.next() { return message }
            guard let received = try await bytes.next() else { return nil }
            reader.receive(try opener?.open(received) ?? received)
        }
    }

    /// Returns the next response. Events that precede it are added to ``events``.
    func response() async throws -> HTTPResponse {
        while let message = try await next() {
            switch message {
            case .response(let response): return response
            case .event(let event): events.append(event)
            }
        }
        throw Closed()
    }

    /// Returns the body of the next event, which only other events may precede.
    func event() async throws -> String {
        guard case .event(let event)? = try await next() else { throw Closed() }
        return String(decoding: event.body, as: UTF8.self)
    }

    /// Waits until the accessory closes the connection, and returns the messages before that.
    func untilClosed() async throws -> [HTTPResponseReader.Message] {
        var messages: [HTTPResponseReader.Message] = []
        do {
            while let message = try await next() { messages.append(message) }
        } catch is IOError {
            // A reset counts as closed.
        }
        return messages
    }

    /// Waits until the accessory closes the connection, and ignores the messages before that.
    func untilEnd() async throws {
        do {
            while try await bytes.next() != nil {}
        } catch is IOError {
            // A reset counts as closed.
        }
    }

    func close() async throws {
        try await channel.close()
    }

    /// Pauses reading from the network until ``resumeReading()``.
    func pauseReading() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    func resumeReading() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    /// Sends bytes without waiting for the accessory to read them.
    func startSending(_ bytes: [UInt8]) throws -> EventLoopFuture<Void> {
        channel.writeAndFlush(ByteBuffer(bytes: try sealer?.seal(bytes) ?? bytes))
    }

    /// Sends single bytes slowly in the clear, until the task is canceled or the accessory closes the connection.
    func trickle() -> Task<Void, Never> {
        let channel = channel
        return Task {
            while !Task.isCancelled, channel.isActive {
                try? await channel.writeAndFlush(ByteBuffer(bytes: [UInt8(ascii: "a")]))
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

// MARK: Requests

extension ControllerConnection {
    func get(_ target: String) async throws -> HTTPResponse {
        try await ask(HTTPRequest(.get, target, host: "127.0.0.1"))
    }

    func put(_ target: String, _ json: String) async throws -> HTTPResponse {
        let type = HAPContentType.json
        return try await ask(HTTPRequest(.put, target, host: "127.0.0.1", contentType: type, body: Array(json.utf8)))
    }

    func post(_ target: String, _ body: [UInt8] = []) async throws -> HTTPResponse {
        try await ask(HTTPRequest(.post, target, host: "127.0.0.1", contentType: HAPContentType.pairing, body: body))
    }

    func ask(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await send(request.encoded())
        return try await response()
    }

    /// Verifies and secures the connection.
    func verify(_ controller: ControllerIdentity, _ accessory: PairedAccessory) async throws {
        var random = SystemRandomNumberGenerator()
        var exchange = PairVerifyController(identity: controller, accessory: accessory)
        let m3 = try exchange.handleM2(try await post("/pair-verify", exchange.start(using: &random)).body)
        let keys = try exchange.handleM4(try await post("/pair-verify", m3).body)
        sealer = FrameSealer(key: keys.controllerToAccessory)
        opener = FrameOpener(key: keys.accessoryToController)
    }

    /// Frames all further messages with these keys.
    func secure(accessoryToController: [UInt8], controllerToAccessory: [UInt8]) throws {
        sealer = FrameSealer(key: try #require(FrameKey(controllerToAccessory)))
        opener = FrameOpener(key: try #require(FrameKey(accessoryToController)))
    }

    /// Pairs, and throws the accessory's error.
    func pair(_ controller: ControllerIdentity, code: SetupCode) async throws -> PairedAccessory {
        var random = SystemRandomNumberGenerator()
        var exchange = PairSetupController(identity: controller, setupCode: code, expecting: nil)
        let m3 = try exchange.handleM2(try await post("/pair-setup", exchange.start()).body, using: &random)
        let m5 = try exchange.handleM4(try await post("/pair-setup", m3).body)
        return try exchange.handleM6(try await post("/pair-setup", m5).body)
    }

    /// Sends `POST /pairings`.
    func manage(_ request: PairingsRequest) async throws -> PairingsResponse {
        try PairingsResponse(decoding: try await post("/pairings", request.encoded()).body, to: request)
    }
}

extension HTTPResponse {
    /// The body as a string.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A handler that passes received bytes to the test.
private final class Receiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(Array(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            errorCaught(context: context, error: ControllerConnection.Silence())
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        continuation.finish(throwing: error)
        context.close(promise: nil)
    }
}
