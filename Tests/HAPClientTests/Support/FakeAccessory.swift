import HAP
import HAPCatalog
import NIOCore
import NIOPosix
import Synchronization

@testable import HAPClient

/// An accessory server whose answers to requests on secured connections are scripted, as the bytes that it sends. Its
/// pair-verify is honest unless told otherwise.
final class FakeAccessory: Sendable {
    /// What the accessory does, one step after the other.
    enum Step: Sendable {
        /// Sends text in frames.
        case send(String)
        /// Sends text in frames, one write and one frame for each byte.
        case sendByteByByte(String)
        /// Sends bytes in frames.
        case sendBytes([UInt8])
        /// Sends bytes as they are, without frames.
        case sendPlain([UInt8])
        /// Sends text over and over, one byte after the other and never faster than the clock ticks.
        case drip(String)
        /// Sends text over and over in large pieces, until the other end takes no more.
        case flood(String)
        /// Seals text into a frame and sends it this often, with the same counter.
        case replay(String, times: Int)
        /// Closes the connection.
        case close
    }

    /// A request as the script sees it.
    struct Request: Sendable {
        /// Method and target.
        let line: String
        let bytes: [UInt8]
        /// How many connections came before this one.
        let connection: Int

        /// The body as text.
        var body: String { String(decoding: bytes, as: UTF8.self) }
    }

    typealias Script = @Sendable (Request) -> [Step]

    let pairing: AccessoryPairing
    let address: AccessoryAddress
    private let listener: any Channel
    private let shared: Shared

    /// What the connections have in common.
    fileprivate final class Shared: Sendable {
        let identity: AccessoryIdentity
        let script: Script
        let answersPlain: Script?
        let behindPairVerify: [UInt8]
        private let state: Mutex<State>

        struct State: Sendable {
            var pairings: PairingList
            var requests: [Request] = []
            var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
            var channels: [ObjectIdentifier: any Channel] = [:]
            var connections = 0
            var allClosed: (@Sendable () -> Void)?
        }

        init(
            identity: AccessoryIdentity,
            pairings: PairingList,
            script: @escaping Script,
            answersPlain: Script?,
            behindPairVerify: [UInt8]
        ) {
            self.identity = identity
            self.script = script
            self.answersPlain = answersPlain
            self.behindPairVerify = behindPairVerify
            state = Mutex(State(pairings: pairings))
        }

        func withState<Result>(_ body: (inout State) -> Result) -> Result {
            state.withLock { body(&$0) }
        }

        func note(_ request: Request) {
            let ready = withState { state in
                state.requests.append(request)
                let count = state.requests.count
                let ready = state.waiters.filter { $0.count <= count }
                state.waiters.removeAll { $0.count <= count }
                return ready
            }
            for waiter in ready { waiter.continuation.resume() }
        }
    }

    /// Starts to listen on 127.0.0.1.
    /// - Parameters:
    ///   - answersPlain: Answers to what comes before pair-verify has succeeded, pair-verify itself included; nil for
    ///     an honest pair-verify.
    ///   - behindPairVerify: Plain bytes to send in one piece with the last message of an honest pair-verify.
    ///   - script: Answers to requests on secured connections.
    static func start(
        answersPlain: Script? = nil,
        behindPairVerify: String = "",
        script: @escaping Script = { _ in [] }
    ) async throws -> FakeAccessory {
        var generator = SystemRandomNumberGenerator()
        let identity = AccessoryIdentity.random(using: &generator)
        guard let pairingID = PairingID("7A8C1B60-0000-4000-8000-00000000CAFE") else { throw UnreachableCause.refused }
        let controller = ControllerIdentity(pairingID: pairingID, keyPair: .random())
        let pairings = PairingList([
            Pairing(controllerID: pairingID, publicKey: controller.keyPair.publicKey, permissions: .admin)
        ])
        let shared = Shared(
            identity: identity,
            pairings: pairings,
            script: script,
            answersPlain: answersPlain,
            behindPairVerify: Array(behindPairVerify.utf8)
        )
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 16)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FakeConnection(shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return FakeAccessory(
            pairing: AccessoryPairing(
                deviceID: identity.deviceID,
                accessoryPublicKey: identity.keyPair.publicKey,
                controllerIdentity: controller
            ),
            address: AccessoryAddress(host: "127.0.0.1", port: listener.localAddress?.port ?? 0),
            listener: listener,
            shared: shared
        )
    }

    private init(pairing: AccessoryPairing, address: AccessoryAddress, listener: any Channel, shared: Shared) {
        self.pairing = pairing
        self.address = address
        self.listener = listener
        self.shared = shared
    }

    /// Ends listening and every connection.
    func stop() async {
        try? await listener.close().get()
        dropConnections()
    }

    /// Ends every connection.
    func dropConnections() {
        for channel in shared.withState({ $0.channels.values.map { $0 } }) { channel.close(promise: nil) }
    }

    /// Runs something whenever the last open connection has been closed.
    func onAllClosed(_ body: @escaping @Sendable () -> Void) {
        shared.withState { $0.allClosed = body }
    }

    /// Forgets every pairing.
    func forgetPairings() {
        shared.withState { $0.pairings = PairingList() }
    }

    /// The requests that came on secured connections.
    var requests: [Request] {
        shared.withState { $0.requests }
    }

    /// Waits until so many requests have come on secured connections, and gives their lines.
    func lines(_ count: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let isThere = shared.withState { state in
                guard state.requests.count < count else { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        return requests.map(\.line)
    }
}

/// The accessory's end of one connection.
private final class FakeConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let shared: FakeAccessory.Shared
    private let number: Int
    private var verify: PairVerifyAccessory
    private var reader = HTTPRequestReader()
    private var frames: (sealer: FrameSealer, opener: FrameOpener)?

    init(_ shared: FakeAccessory.Shared) {
        self.shared = shared
        verify = PairVerifyAccessory(identity: shared.identity)
        number = shared.withState { state in
            defer { state.connections += 1 }
            return state.connections
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        shared.withState { $0.channels[ObjectIdentifier(context.channel)] = context.channel }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let allClosed = shared.withState { state in
            state.channels[ObjectIdentifier(context.channel)] = nil
            return state.channels.isEmpty ? state.allClosed : nil
        }
        allClosed?()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        do {
            reader.receive(try frames?.opener.open(bytes) ?? bytes)
            while let request = try reader.next() { try answer(request, context) }
        } catch {
            context.close(promise: nil)
        }
    }

    private func answer(_ request: HTTPRequest, _ context: ChannelHandlerContext) throws {
        let seen = FakeAccessory.Request(
            line: "\(request.method) \(request.target)",
            bytes: request.body,
            connection: number
        )
        if frames != nil {
            shared.note(seen)
            return try perform(shared.script(seen), context)
        }
        if let answersPlain = shared.answersPlain {
            return try perform(answersPlain(seen), context)
        }
        var generator = SystemRandomNumberGenerator()
        let pairings = shared.withState { $0.pairings }
        switch verify.handle(request.body, pairings: pairings, using: &generator) {
        case .reply(let body):
            write(Wire.pairing(body), context)
        case .badRequest:
            write(HTTPResponse(status: .badRequest).encoded(), context)
        case .replyThenSecure(let body, let controller):
            write(Wire.pairing(body) + shared.behindPairVerify, context)
            frames = (
                FrameSealer(key: controller.keys.accessoryToController),
                FrameOpener(key: controller.keys.controllerToAccessory)
            )
        }
    }

    private func perform(_ steps: [FakeAccessory.Step], _ context: ChannelHandlerContext) throws {
        for step in steps {
            switch step {
            case .send(let text):
                write(try frames?.sealer.seal(text.utf8) ?? Array(text.utf8), context)
            case .sendByteByByte(let text):
                for byte in text.utf8 {
                    for sealed in try frames?.sealer.seal([byte]) ?? [byte] { write([sealed], context) }
                }
            case .sendBytes(let bytes):
                write(try frames?.sealer.seal(bytes) ?? bytes, context)
            case .sendPlain(let bytes):
                write(bytes, context)
            case .drip(let text):
                drip(Array(text.utf8), from: 0, context)
            case .flood(let text):
                flood(text, context)
            case .replay(let text, let times):
                let sealed = try frames?.sealer.seal(text.utf8) ?? []
                for _ in 0..<times { write(sealed, context) }
            case .close:
                context.close(promise: nil)
            }
        }
    }

    private func drip(_ bytes: [UInt8], from index: Int, _ context: ChannelHandlerContext) {
        guard context.channel.isActive, let sealed = try? frames?.sealer.seal([bytes[index]]) ?? [bytes[index]] else {
            return
        }
        write(sealed, context)
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) {
            self.drip(bytes, from: (index + 1) % bytes.count, context)
        }
    }

    private func flood(_ text: String, _ context: ChannelHandlerContext) {
        let burst = Array(String(repeating: text, count: 1 + 16_384 / text.utf8.count).utf8)
        guard context.channel.isActive, context.channel.isWritable,
            let sealed = try? frames?.sealer.seal(burst) ?? burst
        else { return }
        write(sealed, context)
        // Not at once: the loop would come to nothing else.
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { self.flood(text, context) }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}

/// Texts of HTTP messages.
enum Wire {
    /// A response with a JSON body of stated length.
    static func response(_ status: String, _ json: String = "") -> String {
        json.isEmpty
            ? "HTTP/1.1 \(status)\r\n\r\n"
            : """
            HTTP/1.1 \(status)\r
            Content-Type: application/hap+json\r
            Content-Length: \(json.utf8.count)\r
            \r
            \(json)
            """
    }

    /// A response with a pairing message.
    static func pairing(_ body: [UInt8]) -> [UInt8] {
        let headers: HTTPHeaders = [HTTPHeaderName.contentType: HAPContentType.pairing]
        return HTTPResponse(status: .ok, headers: headers, body: body).encoded()
    }

    /// A response whose body is cut into chunks of a length.
    static func chunked(_ json: String, length: Int) -> String {
        var text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        var rest = Array(json.utf8)[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(length)
            rest = rest.dropFirst(length)
            text += String(chunk.count, radix: 16) + "\r\n" + String(decoding: chunk, as: UTF8.self) + "\r\n"
        }
        return text + "0\r\n\r\n"
    }

    /// An event that tells one value.
    static func event(_ id: CharacteristicID, _ value: String) -> String {
        let json = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":\#(value)}]}"#
        return """
            EVENT/1.0 200 OK\r
            Content-Type: application/hap+json\r
            Content-Length: \(json.utf8.count)\r
            \r
            \(json)
            """
    }

    /// The answer to `GET /accessories`.
    static var attributes: String {
        response("200 OK", String(decoding: Fixture.body, as: UTF8.self))
    }
}
