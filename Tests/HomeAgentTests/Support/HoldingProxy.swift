import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A way to a relay on which somebody can hold back what the device sends, and let it go on later.
final class HoldingProxy: Sendable {
    // This is a class because the connections and the test share it.

    private let server: any Channel

    /// The URL at which a device finds the relay.
    var url: String { "http://127.0.0.1:\(port)" }
    /// The port at which the way begins.
    var port: Int { server.localAddress?.port ?? 0 }

    fileprivate final class State: Sendable {
        // This is a class because all connections share it.

        let devices = Mutex<[any Channel]>([])
        let relays = Mutex<[any Channel]>([])
        let silent = Mutex<[any Channel]>([])
        let isHolding = Mutex(false)
        let port = Mutex(0)
        /// How many more pieces pass before the way is cut; `nil` for any number.
        let steps = Mutex<Int?>(nil)

        /// Returns whether a piece may pass. Otherwise the way is to be cut.
        func mayPass() -> Bool {
            steps.withLock { steps in
                guard let left = steps else { return true }
                steps = left > 0 ? left - 1 : nil
                return left > 0
            }
        }

        func cut() {
            for device in devices.withLock({ $0 }) { device.close(promise: nil) }
        }
    }

    private let state: State

    private init(_ server: any Channel, _ state: State) {
        self.server = server
        self.state = state
    }

    /// Opens a way that leads to the port which is set later.
    static func start() async throws -> HoldingProxy {
        let state = State()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { device in
                ClientBootstrap(group: device.eventLoop)
                    .channelInitializer { relay in
                        relay.eventLoop.makeCompletedFuture {
                            try relay.pipeline.syncOperations.addHandler(Forwarder(to: device, on: state))
                        }
                    }
                    .connect(host: "127.0.0.1", port: state.port.withLock { $0 })
                    .flatMap { relay in
                        relay.closeFuture.whenComplete { _ in device.close(promise: nil) }
                        device.closeFuture.whenComplete { _ in relay.close(promise: nil) }
                        state.devices.withLock { $0.append(device) }
                        state.relays.withLock { $0.append(relay) }
                        return device.eventLoop.makeCompletedFuture {
                            try device.pipeline.syncOperations.addHandler(Forwarder(to: relay, on: state))
                        }
                    }
                    .flatMap { device.setOption(.autoRead, value: !state.isHolding.withLock { $0 }) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return HoldingProxy(server, state)
    }

    /// Sets where the way leads.
    func lead(to port: Int) { state.port.withLock { $0 = port } }

    /// Holds back what devices send, or lets it go on.
    func hold(_ isHolding: Bool) async {
        state.isHolding.withLock { $0 = isHolding }
        for device in state.devices.withLock({ $0 }) where device.isActive {
            // One that ends just then has nothing to hold back.
            try? await device.setOption(.autoRead, value: !isHolding).get()
        }
    }

    /// Holds back what the relay answers on the connections that are open.
    func holdAnswers() async {
        for relay in state.relays.withLock({ $0 }) where relay.isActive {
            try? await relay.setOption(.autoRead, value: false).get()
        }
    }

    /// Lets nothing more through on the connections that are open, which nobody is told, as after a change of networks.
    func silence() async {
        let open = state.devices.withLock { $0 } + state.relays.withLock { $0 }
        state.devices.withLock { $0 = [] }
        state.relays.withLock { $0 = [] }
        state.silent.withLock { $0 += open }
        for channel in open where channel.isActive { try? await channel.setOption(.autoRead, value: false).get() }
    }

    /// Ends the connections that are open. What was held back is lost.
    func cut() { state.cut() }

    /// Ends the connections once as many pieces have passed as the network makes of what is sent, in either direction.
    func cut(after steps: Int) { state.steps.withLock { $0 = steps } }

    /// Lets everything through again.
    ///
    /// - Returns: Whether the way was cut since ``cut(after:)``.
    func stopCutting() -> Bool { state.steps.withLock { $0.take() } == nil }

    func stop() async {
        try? await server.close()
        cut()
        for channel in state.silent.withLock({ $0 }) { channel.close(promise: nil) }
    }
}

/// A channel handler that passes on what it reads.
private final class Forwarder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let state: HoldingProxy.State

    init(to other: any Channel, on state: HoldingProxy.State) {
        self.other = other
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state.mayPass() else { return state.cut() }
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }
}
