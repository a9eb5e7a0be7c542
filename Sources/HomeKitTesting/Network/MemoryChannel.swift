import NIOCore
import Synchronization

/// One end of an in-memory connection. Bytes written to it arrive at the other end, in order, on that end's event loop.
///
/// As with TCP, an end that doesn't read receives only the end of the connection, and closing one end closes the other.
/// Unlike with TCP, an end accepts any number of bytes.
final class MemoryChannel: Channel, ChannelCore, @unchecked Sendable {
    // A class, as every channel is. @unchecked because mutable state is only accessed on the event loop, except
    // `activity`.

    let eventLoop: any EventLoop
    let allocator = ByteBufferAllocator()
    let localAddress: SocketAddress? = nil
    let remoteAddress: SocketAddress? = nil
    let parent: (any Channel)? = nil
    private let closePromise: EventLoopPromise<Void>
    private let activity = Atomic(false)
    // Set once, before the channel is shared.
    private var channelPipeline: ChannelPipeline?

    private var peer: MemoryChannel?
    private var arrived: [ByteBuffer] = []
    private var unflushed: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private var isOpen = true
    private var isReading = false
    private var isAutoRead = true
    /// Whether the other end has finished writing.
    private var hasEnded = false
    /// Whether this end has finished writing.
    private var isFinished = false
    private var isDelivering = false

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        closePromise = eventLoop.makePromise()
    }

    /// Creates both ends of a connection, each on an event loop. No data arrives until both are open.
    static func pair(_ first: any EventLoop, _ second: any EventLoop) -> (MemoryChannel, MemoryChannel) {
        let ends = (MemoryChannel(first), MemoryChannel(second))
        ends.0.channelPipeline = ChannelPipeline(channel: ends.0)
        ends.1.channelPipeline = ChannelPipeline(channel: ends.1)
        ends.0.peer = ends.1
        ends.1.peer = ends.0
        return ends
    }

    /// Notifies the handlers that the connection is active, and starts reading. Call this on the event loop.
    func open() {
        guard isOpen else { return }
        activity.store(true, ordering: .sequentiallyConsistent)
        pipeline.syncOperations.fireChannelRegistered()
        pipeline.syncOperations.fireChannelActive()
        if isAutoRead { pipeline.syncOperations.read() }
        deliver()
    }

    // MARK: Channel

    var pipeline: ChannelPipeline {
        guard let channelPipeline else { preconditionFailure("a channel always has a pipeline") }
        return channelPipeline
    }

    var closeFuture: EventLoopFuture<Void> { closePromise.futureResult }
    var isWritable: Bool { true }
    var isActive: Bool { activity.load(ordering: .sequentiallyConsistent) }
    var _channelCore: any ChannelCore { self }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        guard option is ChannelOptions.Types.AutoReadOption, let reads = value as? Bool else {
            return eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        return eventLoop.submit { self.isAutoRead = reads }
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    // MARK: ChannelCore

    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOpen, !isFinished else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        unflushed.append((unwrapData(data, as: ByteBuffer.self), promise))
    }

    func flush0() {
        for (bytes, promise) in unflushed {
            if let peer { peer.eventLoop.execute { peer.receive(bytes) } }
            promise?.succeed(())
        }
        unflushed = []
    }

    func read0() {
        isReading = true
        deliver()
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isOpen else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        switch mode {
        case .input:
            promise?.fail(ChannelError.operationUnsupported)
        case .output:
            finish()
            promise?.succeed(())
        case .all:
            end()
            promise?.succeed(())
        }
    }

    /// Data that reaches the end of the pipeline is discarded.
    func channelRead0(_ data: NIOAny) {}

    /// Errors that reach the end of the pipeline close the connection.
    func errorCaught0(error: any Error) {
        close0(error: error, mode: .all, promise: nil)
    }

    // MARK: Bytes

    private func receive(_ bytes: ByteBuffer) {
        guard isOpen else { return }
        arrived.append(bytes)
        deliver()
    }

    private func receiveEnd() {
        hasEnded = true
        deliver()
    }

    /// Delivers the received bytes as far as the channel is reading, and then the end of the connection.
    private func deliver() {
        guard isActive, !isDelivering else { return }
        isDelivering = true
        while isActive, isReading || hasEnded, !arrived.isEmpty {
            isReading = false
            let batch = arrived
            arrived = []
            for bytes in batch where isActive { pipeline.syncOperations.fireChannelRead(NIOAny(bytes)) }
            pipeline.syncOperations.fireChannelReadComplete()
            if isActive, isAutoRead { pipeline.syncOperations.read() }
        }
        isDelivering = false
        if isActive, hasEnded { end() }
    }

    /// Stops writing.
    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        for (_, promise) in unflushed { promise?.fail(ChannelError.ioOnClosedChannel) }
        unflushed = []
        if let peer { peer.eventLoop.execute { peer.receiveEnd() } }
    }

    private func end() {
        finish()
        isOpen = false
        let wasActive = activity.exchange(false, ordering: .sequentiallyConsistent)
        peer = nil
        arrived = []
        if wasActive {
            pipeline.syncOperations.fireChannelInactive()
            pipeline.syncOperations.fireChannelUnregistered()
        }
        // Do this later, because a handler may be on the call stack.
        eventLoop.execute { [self] in
            removeHandlers(pipeline: pipeline)
            closePromise.succeed(())
        }
    }
}
