import HAP
import HAPCatalog
import NIOCore
import NIOPosix
import Synchronization

@testable import HAPClient

/// An accessory server with scripted responses, given as bytes, on secured connections. By default, its pair-verify is
/// honest.
final class FakeAccessory: Sendable {
    /// A step of the accessory's script.
    enum Step: Sendable {
        /// Sends a string in frames.
        case send(String)
        /// Sends a string in frames, with one write and one frame for each byte.
        case sendByteByByte(String)
        /// Sends bytes in frames.
        case sendBytes([UInt8])
        /// Sends bytes without frames.
        case sendPlain([UInt8])
        /// Sends a string repeatedly, one byte at a time and at most one per clock tick.
        case drip(String)
        /// Sends a string repeatedly in large pieces, until the peer stops reading.
        case flood(String)
        /// Encrypts a string into a frame and sends it this many times, with the same counter.
        case replay(String, times: Int)
        /// Closes the connection.
        case close
    }

    /// A request, as seen by the script.
    struct Request: Sendable {
        /// The method and target.
        let line: String
        let bytes: [UInt8]
        /// The number of earlier connections.
        let connection: Int

        /// The body as a string.
        var body: String { String(decoding: bytes, as: UTF8.self) }
    }

    typealias Script = @Sendable (Request) -> [Step]

    let pairing: AccessoryPairing
    let address: AccessoryAddress
    private let listener: any Channel
    private let shared: Shared

    /// The state that all connections share.
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

        func record(_ request: Request) {
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

    /// Starts listening on 127.0.0.1.
    /// - Parameters:
    ///   - answersPlain: The script for requests before pair-verify succeeds, including pair-verify itself, or `nil`
    ///     for an honest pair-verify.
    ///   - behindPairVerify: Plain bytes to send together with the last message of an honest pair-verify.
    ///   - script: The script for requests on secured connections.
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

    /// Stops listening and closes all connections.
    func stop() async {
        try? await listener.close().get()
        dropConnections()
    }

    /// Closes all connections.
    func dropConnections() {
        for channel in shared.withState({ $0.channels.values.map { $0 } }) { channel.close(promise: nil) }
    }

    /// Sets a closure that is called whenever the last open connection closes.
    func onAllClosed(_ body: @escaping @Sendable () -> Void) {
        shared.withState { $0.allClosed = body }
    }

    /// Removes all pairings.
    func forgetPairings() {
        shared.withState { $0.pairings = PairingList() }
    }

    /// The requests received on secured connections.
    var requests: [Request] {
        shared.withState { $0.requests }
    }

    /// Waits until this number of requests has been received on secured connections, and returns their lines.
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

/// The accessory's side of one connection.
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
            shared.record(seen)
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
        // Don't continue immediately, because that would block the loop.
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { self.flood(text, context) }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}

/// Encoded HTTP messages.
enum Wire {
    /// Returns a response with a JSON body and its length.
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

    /// Returns a response with a pairing message.
    static func pairing(_ body: [UInt8]) -> [UInt8] {
        let headers: HTTPHeaders = [HTTPHeaderName.contentType: HAPContentType.pairing]
        return HTTPResponse(status: .ok, headers: headers, body: body).encoded()
    }

    /// Returns a response whose body is split into chunks of the given length.
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

    /// Returns an event with one value.
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

    /// The response to `GET /accessories`.
    static var attributes: String {
        response("200 OK", String(decoding: Fixture.body, as: UTF8.self))
    }
}
