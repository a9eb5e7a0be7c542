package import HomeIdentity
package import Logging
import NIOCore
import NIOPosix
import Synchronization
import TLS

/// This hub's connection to the other hub of the homes: TLS 1.3, in which both prove that they have the keys of the list.
///
/// It connects again by itself, and holds back whoever sends more than the other end takes.
package final class HubLink: Sendable {
    // This is a class because it owns the one connection, which the listener, the timer and the hub share.

    /// What happens, in order.
    package enum Event: Hashable, Sendable {
        /// The other hub is connected.
        case connected
        /// It isn't any more.
        case disconnected
        /// A frame has come. Call ``HubLink/handled(_:)`` when nothing more has to be kept of it.
        case frame(HubFrame)
        /// There is room for frames again, after ``HubLink/send(_:)`` didn't take one.
        case room
    }

    private struct State {
        var machine: HubLinkMachine
        /// What is to be done, in the order in which the machine said so.
        var actions: [HubLinkMachine.Action] = []
        /// Whether it is being done.
        var isActing = false
        var channels: [HubLinkMachine.Connection: any Channel] = [:]
        /// The timer for the machine, and when it is due.
        var timer: (task: Scheduled<Void>, due: Duration)?
    }

    /// Returns the link to the hub with a key; `nil` if there is none.
    package typealias Lookup = @Sendable (PublicKey) -> HubLink?

    /// The other hub's key.
    package let peer: PublicKey
    private let identity: LinkIdentity
    private let ways: @Sendable () -> [HubWay]
    private let handler: @Sendable (Event) -> Void
    private let log: Logger
    private let start = NIODeadline.now()
    private let state: Mutex<State>
    /// Where everything happens, so that events keep their order.
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Creates a link; ``begin()`` begins it.
    ///
    /// - Parameters:
    ///   - peer: The other hub's key.
    ///   - identity: This hub's key.
    ///   - connects: Whether this hub connects; the other one accepts. Of the hubs in the list, the later one connects.
    ///   - pauses: The pauses between attempts to connect.
    ///   - ways: A closure that returns where the other hub may be, the best first.
    ///   - handler: A closure that is called with what happens, in order. It must return quickly.
    package init(
        to peer: PublicKey,
        as identity: LinkIdentity,
        connects: Bool,
        pauses: HubLinkLimits.Pauses = HubLinkLimits.pauses,
        ways: @escaping @Sendable () -> [HubWay],
        log: Logger,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        self.peer = peer
        self.identity = identity
        self.ways = ways
        self.log = log
        self.handler = handler
        state = Mutex(State(machine: HubLinkMachine(connects: connects, pauses: pauses)))
    }

    private var now: Duration { .nanoseconds((NIODeadline.now() - start).nanoseconds) }

    /// Whether the other hub is connected.
    package var isConnected: Bool { state.withLock { $0.machine.isConnected } }

    /// Whether frames are read from the connection.
    var isReading: Bool { state.withLock { $0.machine.isReading } }

    /// Begins to connect, or to accept.
    package func begin() { run { $0.start(at: self.now) } }

    /// Ends the connection for good.
    package func stop() {
        run { $0.stop() }
        state.withLock { $0.timer.take() }?.task.cancel()
    }

    /// Tries to connect now, because there is a hint that the other hub is there.
    package func hint() { run { $0.hint(at: self.now) } }

    /// Sends a frame.
    ///
    /// - Returns: Whether it was taken. If not, the other hub isn't connected, or ``Event/room`` follows.
    @discardableResult
    package func send(_ frame: HubFrame) -> Bool {
        let isTaken = state.withLock { state in
            guard let actions = state.machine.send(frame, at: now) else { return false }
            state.actions += actions
            return true
        }
        // Not at once: whoever sends may be called again by what is done.
        if isTaken { loop.execute { self.act() } }
        return isTaken
    }

    /// Records that nothing more has to be kept of a frame.
    package func handled(_ frame: HubFrame) { run { $0.handled(frame) } }

    // MARK: Connections

    /// Takes over a connection of the other hub, which has proved its key.
    func accept(_ channel: any Channel) throws {
        let connection = state.withLock { state -> HubLinkMachine.Connection? in
            let (connection, actions) = state.machine.accept(at: now)
            if let connection { state.channels[connection] = channel }
            state.actions += actions
            return connection
        }
        guard let connection else { return channel.close(promise: nil) }
        try channel.pipeline.syncOperations.addHandler(frames(of: connection))
        loop.execute { self.act() }
    }

    private func frames(of connection: HubLinkMachine.Connection) -> HubFrameHandler {
        HubFrameHandler(
            onOpen: { self.run { $0.opened(connection, at: self.now) } },
            onFrame: { frame in
                // It counts before the next one is read, on whichever loop the channel is.
                self.advance { machine in
                    let actions = machine.received(frame, on: connection, at: self.now)
                    return (actions, machine.isReading)
                }
            },
            onClose: { self.didClose(connection) }
        )
    }

    private func didClose(_ connection: HubLinkMachine.Connection) {
        let jitter = Double.random(in: 0...1)
        state.withLock { _ = $0.channels.removeValue(forKey: connection) }
        run { $0.closed(connection, at: self.now, jitter: jitter) }
    }

    private func connect(_ connection: HubLinkMachine.Connection, attempt: Int) {
        let ways = ways()
        guard !ways.isEmpty else { return didClose(connection) }
        let way = ways[attempt % ways.count]
        let time = TimeAmount.nanoseconds(Int64(HubLinkLimits.connectTime / .nanoseconds(1)))
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(time)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { [identity, peer, self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = TLSHandler(pinned: identity.context, offering: .hearthHub, handshakeTime: time) {
                        $0 == peer.bytes
                    }
                    try channel.pipeline.syncOperations.addHandler(tls)
                    try channel.pipeline.syncOperations.addHandler(self.frames(of: connection))
                    self.state.withLock { $0.channels[connection] = channel }
                }
            }
        let opening: EventLoopFuture<any Channel> =
            switch way {
            case .address(let address): bootstrap.connect(to: address)
            case .socket(let open):
                loop.makeFutureWithTask { try await open() }.assumeIsolated()
                    .flatMap { bootstrap.withConnectedSocket($0) }.nonisolated()
            }
        opening.whenFailure { error in
            self.log.debug("The other hub can't be reached.", metadata: ["error": "\(error)"])
            self.didClose(connection)
        }
    }

    // MARK: Actions

    private func run(_ event: @escaping @Sendable (inout HubLinkMachine) -> [HubLinkMachine.Action]) {
        advance { (event(&$0), ()) }
    }

    /// Advances the machine, and does what it says on the loop, in order.
    private func advance<Result: Sendable>(
        _ event: (inout HubLinkMachine) -> ([HubLinkMachine.Action], Result)
    ) -> Result {
        let result = state.withLock { state in
            let (actions, result) = event(&state.machine)
            state.actions += actions
            return result
        }
        if loop.inEventLoop { act() } else { loop.execute { self.act() } }
        return result
    }

    private func act() {
        while true {
            let actions = state.withLock { state -> [HubLinkMachine.Action] in
                // What is done may advance the machine again.
                guard !state.isActing else { return [] }
                state.isActing = !state.actions.isEmpty
                defer { state.actions = [] }
                return state.actions
            }
            guard !actions.isEmpty else { break }
            carryOut(actions)
            state.withLock { $0.isActing = false }
        }
        schedule()
    }

    private func carryOut(_ actions: [HubLinkMachine.Action]) {
        for action in actions {
            switch action {
            case .connect(let connection, let attempt): connect(connection, attempt: attempt)
            case .write(let frame, let connection): write(frame, on: connection)
            case .close(let connection):
                state.withLock { $0.channels[connection] }?.close(promise: nil)
            case .deliver(let frame): handler(.frame(frame))
            case .resume(let connection):
                guard let channel = state.withLock({ $0.channels[connection] }) else { break }
                channel.eventLoop.execute {
                    try? channel.pipeline.syncOperations.handler(type: HubFrameHandler.self).resume()
                }
            case .tell(let isConnected):
                log.info(isConnected ? "The other hub is connected." : "The other hub isn't connected any more.")
                handler(isConnected ? .connected : .disconnected)
            case .tellRoom: handler(.room)
            }
        }
    }

    private func write(_ frame: HubFrame, on connection: HubLinkMachine.Connection) {
        guard let channel = state.withLock({ $0.channels[connection] }) else { return }
        channel.writeAndFlush(ByteBuffer(bytes: frame.line)).whenSuccess {
            self.run { $0.sent(frame, on: connection) }
        }
    }

    /// Sets the timer for the machine's next time. One that is due earlier stays: the machine does nothing then.
    private func schedule() {
        state.withLock { state in
            guard let next = state.machine.nextTick, state.timer.map({ $0.due > next }) ?? true else { return }
            state.timer?.task.cancel()
            let pause = max(.zero, next - now)
            let task = loop.scheduleTask(in: .nanoseconds(Int64(pause / .nanoseconds(1)))) { [weak self] in
                guard let self else { return }
                self.state.withLock { $0.timer = nil }
                let jitter = Double.random(in: 0...1)
                run { $0.tick(self.now, jitter: jitter) }
            }
            state.timer = (task, next)
        }
    }
}
