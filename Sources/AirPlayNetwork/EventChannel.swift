internal import AirPlay
internal import HAP
internal import NIOCore
internal import NIOPosix

/// The limits of event channels.
private let eventLimits = HTTPLimits(
    startLineLength: 1_024,
    headerLength: 8_192,
    bodyLength: BinaryPropertyListReader.lengthLimit
)

/// The receiver's end of the encrypted connection on which it tells the sender of changes.
///
/// This is a class because NIO's handlers are.
final class ReceiverEventHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var security: SecureChannel
    private let greeting: RTSPRequest
    private var reader = RTSPResponseReader(limits: eventLimits)

    /// - Parameters:
    ///   - security: The encryption.
    ///   - greeting: The first request to send.
    init(_ security: SecureChannel, greeting: RTSPRequest) {
        self.security = security
        self.greeting = greeting
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let bytes = try? security.seal(greeting.encoded()) else { return context.close(promise: nil) }
        context.channel.send(bytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            reader.receive(try security.open(unwrapInboundIn(data).readableBytesView))
            // The sender's answers change nothing.
            while try reader.next() != nil {}
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// The sender's end of the event connection. This is a class because NIO's handlers are.
final class SenderEventHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var security: SecureChannel
    private var reader = RTSPRequestReader(limits: eventLimits)

    init(_ security: SecureChannel) {
        self.security = security
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            reader.receive(try security.open(unwrapInboundIn(data).readableBytesView))
            while let request = try reader.next() {
                // A receiver that doesn't read the answers is disconnected.
                guard context.channel.isWritable else { return context.close(promise: nil) }
                var response = RTSPResponse(.ok)
                if let sequence = request.headers[RTSPHeaderName.sequence] {
                    response.headers.add(RTSPHeaderName.sequence, sequence)
                }
                context.channel.send(try security.seal(response.encoded()))
            }
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// The port at which senders open event channels.
///
/// This is a class because it owns a socket. All of it runs on one event loop.
final class EventListener: Sendable {
    /// The port, 1 to 65535.
    let port: Int
    private let channel: any Channel

    /// Opens the port.
    ///
    /// - Parameters:
    ///   - address: The address to bind.
    ///   - loop: The event loop.
    ///   - accept: A closure that adds the handler to a connection, or throws to close it. Called on the event loop.
    init(
        _ address: SocketAddress,
        on loop: any EventLoop,
        accept: @escaping @Sendable (any Channel) throws -> Void
    ) async throws(AirPlayNetworkError) {
        let bootstrap = ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
        do {
            channel = try await bootstrap.bind(to: address.with(port: 0)).get()
        } catch {
            throw .portRefused("\(address): \(error)")
        }
        port = channel.localAddress?.port ?? 0
    }

    /// Closes the port.
    func close() {
        channel.close(promise: nil)
    }
}
