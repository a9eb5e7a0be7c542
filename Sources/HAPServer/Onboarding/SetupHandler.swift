internal import HAP
internal import NIOCore
internal import WirelessSetup

/// A connection of a ``SetupServer``. It ends after a malformed request, after a reply that ends the configuration, and
/// after a time limit.
final class SetupHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let service: SetupService
    private var requests = HTTPRequestReader(limits: SetupService.requestLimits)
    private var responder: SetupResponder?
    private var limit: Scheduled<Void>?

    init(_ service: SetupService) {
        self.service = service
        responder = service.responder()
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        limit = context.eventLoop.scheduleTask(in: SetupService.connectionTime) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        requests.receive(unwrapInboundIn(data).readableBytesView)
        do {
            while context.channel.isActive, let request = try requests.next() {
                send(service.answer(request, &responder), context)
            }
        } catch {
            context.close(promise: nil)
        }
    }

    private func send(_ reply: SetupService.Reply, _ context: ChannelHandlerContext) {
        let buffer = wrapOutboundOut(ByteBuffer(bytes: reply.response.encoded()))
        guard let afterwards = reply.afterwards else {
            context.writeAndFlush(buffer, promise: nil)
            return
        }
        let channel = context.channel
        context.writeAndFlush(buffer).whenComplete { _ in
            // The accessory acts on what it received even if the peer is gone by now.
            channel.close(promise: nil)
            afterwards()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        limit?.cancel()
        service.remove(context.channel)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
