package import AirPlay
package import DNSSD
internal import HAP
internal import NIOCore
internal import NIOPosix

/// Sends a receiver's commands to its sender.
package struct RemoteControlClient: Sendable {
    private static let resolveLimit = Duration.seconds(5)
    private static let connectLimit = TimeAmount.seconds(5)
    private static let responseLimit = TimeAmount.seconds(5)
    private static let limits = HTTPLimits(startLineLength: 1_024, headerLength: 8_192, bodyLength: 65_536)

    private let address: RemoteControlAddress
    private let discovery: MulticastDNS

    /// Creates a client of the service that a sender named.
    package init(address: RemoteControlAddress, discovery: MulticastDNS) {
        self.address = address
        self.discovery = discovery
    }

    /// Sends a command. Returns whether the sender accepted it.
    package func send(_ command: RemoteCommand) async -> Bool {
        guard let type = try? ServiceType(ReceiverRecord.remoteControlType),
            let service = try? await discovery.resolve(
                ServiceInstance(name: address.instanceName, type: type),
                within: Self.resolveLimit
            ),
            let host = service.addresses.first?.description
        else { return false }
        return await Self.send(command, token: address.token, host: host, port: Int(service.port))
    }

    /// Sends a command to a sender's service at an address. Returns whether the sender accepted it.
    package static func send(_ command: RemoteCommand, token: String, host: String, port: Int) async -> Bool {
        let request = HTTPRequest(
            method: .get,
            target: command.path,
            headers: [HTTPHeaderName.host: "\(host):\(port)", RTSPHeaderName.activeRemote: token]
        )
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let response = loop.makePromise(of: HTTPResponse.self)
        do {
            let channel = try await ClientBootstrap(group: loop)
                .connectTimeout(connectLimit)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ResponseHandler(response))
                    }
                }
                .connect(host: host, port: port).get()
            channel.send(request.encoded())
            let timeout = loop.scheduleTask(in: responseLimit) { channel.close(promise: nil) }
            defer {
                timeout.cancel()
                channel.close(promise: nil)
            }
            return (200..<300).contains(try await response.futureResult.get().status.rawValue)
        } catch {
            response.fail(error)
            return false
        }
    }

    /// Waits for one response. This is a class because NIO's handlers are.
    private final class ResponseHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let promise: EventLoopPromise<HTTPResponse>
        private var reader = HTTPResponseReader(limits: limits)

        init(_ promise: EventLoopPromise<HTTPResponse>) {
            self.promise = promise
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            reader.receive(unwrapInboundIn(data).readableBytesView)
            do {
                if case .response(let response) = try reader.next() { promise.succeed(response) }
            } catch {
                promise.fail(error)
                context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(ChannelError.ioOnClosedChannel)
        }
    }
}
