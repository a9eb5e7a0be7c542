import Glibc
import LocalRPCSockets
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// The end of a listener's connections.
struct OpenChannelsTests {
    /// A handler that keeps what was written until the end of the connection.
    private final class Farewell: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let text = Mutex("")

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let part = String(buffer: unwrapInboundIn(data))
            text.withLock { $0 += part }
        }
    }

    @Test func aBusyServerWritesItsFarewellBeforeItCloses() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let clients = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channels = OpenChannels(limit: 1)
        let accepted = group.next().makePromise(of: Void.self)
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                _ = channels.add(channel)
                accepted.succeed()
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let farewell = Farewell()
        let client = try await ClientBootstrap(group: clients)
            .channelInitializer { $0.pipeline.addHandler(farewell) }
            .connect(to: try #require(server.localAddress)).get()
        try await accepted.futureResult.get()
        // The loop is busy for longer than clients have to read the farewell.
        group.next().execute { usleep(100_000) }
        await channels.end(sending: ByteBuffer(string: "bye"), within: .milliseconds(1))
        try await client.closeFuture.get()
        #expect(farewell.text.withLock { $0 } == "bye")
        try await server.close()
        try await group.shutdownGracefully()
        try await clients.shutdownGracefully()
    }
}
