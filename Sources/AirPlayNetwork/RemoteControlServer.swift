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

    /// The number of requests that may wait for their responses on a connection.
    private static let pipelineLimit = 16
    /// The time after which a command has a response, even if its handler is still busy.
    private static let commandTime = Duration.seconds(3)

    /// The port, 1 to 65535.
    let port: Int
    private let channel: any Channel

    /// Opens the service.
    ///
    /// - Parameters:
    ///   - address: The address to bind.
    ///   - token: The token that requests must have.
    ///   - loop: The event loop.
    ///   - command: A closure that handles commands, one at a time for each connection.
    init(
        _ address: SocketAddress,
        token: String,
        on loop: any EventLoop,
        command: @escaping @Sendable (RemoteCommand) async -> RemoteCommand.Result
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
        private let command: @Sendable (RemoteCommand) async -> RemoteCommand.Result
        private var reader = RTSPRequestReader(limits: limits)
        /// The responses, which are sent in the order of the requests.
        private var last: EventLoopFuture<Void>?
        private var pendingCount = 0

        init(token: String, command: @escaping @Sendable (RemoteCommand) async -> RemoteCommand.Result) {
            self.token = token
            self.command = command
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            reader.receive(unwrapInboundIn(data).readableBytesView)
            do {
                while let request = try reader.next() {
                    guard pendingCount < RemoteControlServer.pipelineLimit else { return context.close(promise: nil) }
                    respond(to: RemoteCommand.answer(request, token: token), on: context.channel)
                }
            } catch {
                context.channel.sendAndClose(HTTPResponse(status: error.status).encoded())
            }
        }

        private func respond(to answer: RemoteCommand.Answer, on channel: any Channel) {
            pendingCount += 1
            let loop = channel.eventLoop
            let response = (last ?? loop.makeSucceededVoidFuture())
                .flatMap { [command] in
                    switch answer {
                    case .command(let received):
                        loop.makeFutureWithTask { await RemoteControlServer.status(of: received, command) }
                    case .refusal(let status): loop.makeSucceededFuture(status)
                    }
                }
                .map { channel.send(HTTPResponse(status: $0).encoded()) }
            last = response
            response.assumeIsolated().whenComplete { [weak self] _ in self?.pendingCount -= 1 }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    /// Returns the status of a command. A command that takes long has been accepted.
    private static func status(
        of received: RemoteCommand,
        _ command: @escaping @Sendable (RemoteCommand) async -> RemoteCommand.Result
    ) async -> HTTPStatus {
        let (results, result) = AsyncStream.makeStream(of: RemoteCommand.Result.self)
        Task { result.yield(await command(received)) }
        let timeout = Task {
            try? await Task.sleep(for: commandTime)
            result.yield(.success)
        }
        defer { timeout.cancel() }
        return (await results.first { _ in true } ?? .success).status
    }
}
