import Foundation
import HomeIdentity
import LocalRPC
import NIOCore

/// A channel handler that runs the exchange of a joining device, and closes the connection after it.
final class JoinHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The messages of a device in one exchange. Further ones are dropped.
    private static let messages = 2

    private let service: JoinService
    private let device: PublicKey
    private let only: InvitationID?
    private let time: TimeAmount
    private let begin: @Sendable () -> Bool
    private let end: @Sendable () -> Void
    private var lines = LineDecoder(limit: JoinLimits.maximumMessageBytes)
    private var input: AsyncStream<[UInt8]>.Continuation?
    private var deadline: Scheduled<Void>?

    init(
        _ service: JoinService,
        device: PublicKey,
        only: InvitationID?,
        within time: TimeAmount,
        begin: @escaping @Sendable () -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        self.service = service
        self.device = device
        self.only = only
        self.time = time
        self.begin = begin
        self.end = end
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (stream, input) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(Self.messages)
        )
        self.input = input
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) {
            channel.close(promise: nil)
        }
        Task { [service, device, only, begin, end] in
            var messages = stream.makeAsyncIterator()
            await service.run(
                device: device,
                only: only,
                next: { await messages.next() },
                send: { message in
                    channel.writeAndFlush(ByteBuffer(bytes: message + [UInt8(ascii: "\n")]), promise: nil)
                },
                begin: begin,
                end: end
            )
            channel.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for element in unwrapInboundIn(data).withUnsafeReadableBytes({ lines.decode($0) }) {
            switch element {
            case .line(let line): input?.yield(Array(line))
            case .tooLong: input?.yield([])
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A device that has sent its last message can still read the reply.
        if event as? ChannelEvent == .inputClosed { input?.finish() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        input?.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
