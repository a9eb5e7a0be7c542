import Foundation
import HomeIdentity
import NIOCore
import NIOHTTPTypes
import RelayAPI
import Synchronization
import WebServer

/// A live stream: tells its client which feeds have new entries, and carries the frames of pipes.
///
/// A client that doesn't read gets the newest numbers once it reads again, so what waits for it is bounded by the number of
/// feeds, and by the credit of its pipes.
final class LiveStream: Sendable, Identifiable {
    // This is a class because a stream has an identity.

    private struct State {
        var queue = LiveQueue()
        var channel: (any Channel)?
        var isScheduled = false
        var isOver = false
        /// When something was last sent.
        var sent = NIODeadline.now()
        var end: CheckedContinuation<Void, Never>?
        /// Whether a device may open pipes.
        var mayOpen: Bool
        var order = FrameOrder()
        /// The number of requests with frames that are being sent.
        var requests = 0
    }

    let id = UUID()
    /// The key of the client.
    let key: PublicKey
    /// The house.
    let house: HouseID
    /// What the client's pipes come from; `nil` for an owner, whose stream is about all of the house.
    let origin: PipeOrigin?
    /// The quota of the house.
    let quota: HouseQuota
    /// Whether the client takes frames of pipes.
    let takesPipes: Bool
    private let state: Mutex<State>

    init(
        of key: PublicKey,
        in house: HouseID,
        _ origin: PipeOrigin?,
        quota: HouseQuota,
        takesPipes: Bool,
        mayOpen: Bool
    ) {
        self.quota = quota
        self.key = key
        self.house = house
        self.origin = origin
        self.takesPipes = takesPipes
        state = Mutex(State(mayOpen: mayOpen))
    }

    /// The feed; `nil` for an owner, and for whoever is at a door.
    var feed: FeedID? { origin?.feed }
    /// Whether the client is at a door, and is told nothing of feeds.
    var isAtDoor: Bool {
        if case .door? = origin { true } else { false }
    }

    /// Whether the stream has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    // MARK: Frames

    /// Tells that a feed has new entries.
    func wake(_ feed: FeedID, seq: Int64) {
        schedule { $0.queue.wake(feed, seq: seq) }
    }

    /// Sends a frame of a pipe.
    func send(_ frame: LiveFrame) {
        schedule { $0.queue.add(frame) }
    }

    /// Sends a sign of life if nothing was sent for a time.
    func ping(after time: TimeAmount) {
        schedule { state in
            if NIODeadline.now() - state.sent >= time { state.queue.ping() }
        }
    }

    private func schedule(_ change: (inout State) -> Void) {
        let channel = state.withLock { state -> (any Channel)? in
            guard !state.isOver else { return nil }
            change(&state)
            guard !state.isScheduled, !state.queue.isEmpty, let channel = state.channel else { return nil }
            state.isScheduled = true
            return channel
        }
        channel?.eventLoop.execute { self.send() }
    }

    // MARK: Frames from the client

    /// Whether a device may open pipes.
    var mayOpen: Bool {
        get { state.withLock { $0.mayOpen } }
        set { state.withLock { $0.mayOpen = newValue } }
    }

    /// Counts a request with frames that is about to be read. If this returns `true`, ``endRequest()`` must follow.
    func beginRequest() -> Bool {
        state.withLock { state in
            guard state.requests < RelayLimits.frameRequests else { return false }
            state.requests += 1
            return true
        }
    }

    /// Counts the end of a request with frames.
    func endRequest() {
        state.withLock { $0.requests -= 1 }
    }

    /// Takes the body of a request, and returns those that are in turn.
    func receive(_ number: Int64, _ body: Data) throws(RelayError) -> [Data] {
        let result = state.withLock { state in
            Result { () throws(RelayError) in try state.order.receive(number, body) }
        }
        return try result.get()
    }

    /// Calls a closure if requests wait for one that doesn't come in time.
    func watchGap(_ time: TimeAmount, _ onGap: @escaping @Sendable (LiveStream) -> Void) {
        let (gap, channel) = state.withLock { ($0.order.gap, $0.channel) }
        guard let gap, let channel else { return }
        channel.eventLoop.scheduleTask(in: time) { [weak self] in
            if let self, state.withLock({ $0.order.gap == gap && !$0.isOver }) { onGap(self) }
        }
    }

    // MARK: The connection

    /// Begins to send on a channel whose response has begun.
    func attach(to channel: any Channel) {
        state.withLock { state in
            state.channel = channel
            state.isScheduled = true
        }
        channel.eventLoop.execute {
            let flow = try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self)
            flow?.onWritable = { [weak self] in self?.send() }
            self.send()
        }
    }

    /// Sends what there is, unless the client must read first. Runs on the channel's event loop.
    private func send() {
        guard let channel = state.withLock({ $0.isOver ? nil : $0.channel }), channel.isWritable else { return }
        let bytes = state.withLock { state -> Data in
            state.isScheduled = false
            guard !state.isOver, !state.queue.isEmpty else { return Data() }
            state.sent = .now()
            return state.queue.drain()
        }
        guard !bytes.isEmpty else { return }
        channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Waits until the stream has ended.
    func finished() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.end = continuation }
                    return state.isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            clientHasEnded()
        }
    }

    /// Notes that the client has ended the stream.
    func clientHasEnded() {
        let end = state.withLock { state in
            state.isOver = true
            return state.end.take()
        }
        end?.resume()
    }

    /// Ends the stream. Once this returns, the connection is closed, and nothing more is sent.
    func end() async {
        let (channel, end) = state.withLock { state in
            state.isOver = true
            return (state.channel, state.end.take())
        }
        if let channel {
            channel.close(promise: nil)
            try? await channel.closeFuture.get()
        }
        end?.resume()
    }
}
