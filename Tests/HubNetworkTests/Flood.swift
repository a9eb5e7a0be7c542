import HomeIdentity
import NIOCore
import NIOPosix
import TLS

/// Many connections that send the start of a handshake.
struct Flood {
    /// The first bytes of a handshake record of 512 bytes.
    private static let start: [UInt8] = [22, 3, 1, 2, 0, 1, 0, 1, 252]

    private let channels: [any Channel]

    static func open(_ count: Int, at address: SocketAddress) async throws -> Flood {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        var channels: [any Channel] = []
        for _ in 0..<count {
            let channel = try await bootstrap.connect(to: address).get()
            channel.writeAndFlush(ByteBuffer(bytes: start), promise: nil)
            channels.append(channel)
        }
        return Flood(channels: channels)
    }

    func close() async {
        for channel in channels { try? await channel.close() }
    }
}

/// A device's connection that agrees on keys and sends nothing.
enum Silent {
    private final class Opener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let opened: EventLoopPromise<Void>

        init(_ opened: EventLoopPromise<Void>) {
            self.opened = opened
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is TLSEvent { opened.succeed() }
        }

        func channelInactive(context: ChannelHandlerContext) {
            opened.fail(ChannelError.eof)
        }
    }

    static func open(
        at address: SocketAddress,
        as device: IdentityKey,
        offering name: ApplicationProtocol
    ) async throws -> any Channel {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let opened = loop.makePromise(of: Void.self)
        let context = try TLSContext(pinned: TLSIdentity(ed25519Seed: device.seed))
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = TLSHandler(pinned: context, offering: name, handshakeTime: .seconds(30)) { _ in true }
                    try channel.pipeline.syncOperations.addHandlers(tls, Opener(opened))
                }
            }
            .connect(to: address)
            .get()
        try await opened.futureResult.get()
        return channel
    }
}
