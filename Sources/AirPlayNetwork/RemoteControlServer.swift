internal import AirPlay
internal import HAP
internal import NIOCore
internal import NIOPosix

/// The service at which a sender takes commands of its receiver.
///
/// This is a class because it owns a socket. All of it runs on one event loop.
final class RemoteControlServer: Sendable {
    /// The limits of requests, which have no body.
    private static let limits = HTTPLimits(startLineLength: 1_024, headerLength: 8_192, bodyLength: 1_024)
    /// The maximum time of a connection.
    private static let connectionTime = TimeAmount.seconds(60)

    /// The port, 1 to 65535.
    let port: Int
    private let channel: any Channel

    /// Opens the service.
    ///
    /// - Parameters:
    ///   - address: The address to bind.
    ///   - token: The token that requests must have.
    ///   - loop: The event loop.
    ///   - command: A closure that takes commands, called on the event loop.
    init(
        _ address: SocketAddress,
        token: String,
        on loop: any EventLoop,
        command: @escaping @Sendable (RemoteCommand) -> Void
    ) async throws(AirPlayNetworkError) {
        let bootstrap = ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RequestHandler(token: token, command: command))
                    channel.eventLoop.scheduleTask(in: Self.connectionTime) { channel.close(promise: nil) }
                }
            }
        do {
            channel = try await bootstrap.bind(to: address.with(port: 0)).get()
        } catch {
            throw .portRefused("\(address): \(error)")
        }
        port = channel.localAddress?.port ?? 0
    }

    /// Closes the service.
    func close() {
        channel.close(promise: nil)
    }

    /// Answers the requests of a connection. This is a class because NIO's handlers are.
    private final class RequestHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let token: String
        private let command: @Sendable (RemoteCommand) -> Void
        private var reader = RTSPRequestReader(limits: limits)

        init(token: String, command: @escaping @Sendable (RemoteCommand) -> Void) {
            self.token = token
            self.command = command
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            reader.receive(unwrapInboundIn(data).readableBytesView)
            do {
                while let request = try reader.next() {
                    switch RemoteCommand.answer(request, token: token) {
                    case .command(let command):
                        context.channel.send(HTTPResponse(status: .noContent).encoded())
                        self.command(command)
                    case .refusal(let status):
                        context.channel.send(HTTPResponse(status: status).encoded())
                    }
                }
            } catch {
                context.channel.sendAndClose(HTTPResponse(status: error.status).encoded())
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
