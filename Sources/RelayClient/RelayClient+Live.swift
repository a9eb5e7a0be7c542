import Foundation
package import HomeIdentity
import NIOCore
import RelayAPI
import Synchronization

extension RelayClient {
    /// Follows a feed, or a whole house for an owner. When the connection ends, it is opened again.
    ///
    /// The sequence ends when the relay says that this key has no right to it any more. A client that doesn't read its
    /// events gets the newest ones.
    ///
    /// - Parameters:
    ///   - door: Whether this key is that of a door of the house's.
    ///   - pipes: The pipes on the stream; `nil` for none. A stream has pipes of its own.
    ///   - hasWakes: Whether to tell of entries. The hub that writes them needn't be told.
    package func live(
        _ house: HouseID,
        feed: FeedID? = nil,
        door: Bool = false,
        pipes: RelayPipes? = nil,
        hasWakes: Bool = true
    ) -> AsyncStream<LiveEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.bufferedEvents)) { continuation in
            let task = Task {
                var delay = ReconnectDelay()
                while !Task.isCancelled {
                    let error = await follow(house, feed: feed, door, pipes, hasWakes) { event in
                        if event == .connected { delay.succeeded() }
                        continuation.yield(event)
                    }
                    if Task.isCancelled { break }
                    continuation.yield(.disconnected(error))
                    if case .refused(let refusal) = error, refusal.code == .notFound { break }
                    let time = delay.failed(random: Double.random(in: 0...1))
                    if let pipes { await pipes.pause(for: time) } else { try? await Task.sleep(for: time) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The number of events that wait for a client that doesn't read: more than a house has feeds.
    private static let bufferedEvents = 256

    /// Follows one connection to its end.
    private func follow(
        _ house: HouseID,
        feed: FeedID?,
        _ door: Bool,
        _ pipes: RelayPipes?,
        _ hasWakes: Bool,
        deliver: (LiveEvent) -> Void
    ) async -> RelayClientError {
        let (frames, input) = AsyncStream.makeStream(of: Result<[LiveFrame], RelayError>.self)
        let silence = SilenceWatch()
        let reader = Mutex(LiveFrameReader())
        do throws(RelayClientError) {
            let query = [feed.map { "feed=\($0)" }, door ? "door=1" : nil, pipes.map { _ in "pipes=1" }]
                .compactMap(\.self)
            let path = "/v1/houses/\(house)/live"
            let (response, channel) = try await stream("\(path)?\(query.joined(separator: "&"))") { chunk in
                // Here rather than in the task, which needn't be woken by what it would skip.
                silence.received()
                let received = reader.withLock { reader in
                    Result { () throws(RelayError) in
                        try reader.receive(chunk).filter { hasWakes || $0.kind != .wake }
                    }
                }
                if received != .success([]) { input.yield(received) }
            }
            defer { channel.close(promise: nil) }
            guard response.status == 200 else { throw Self.error(in: response) }
            channel.closeFuture.whenComplete { _ in input.finish() }
            silence.start(channel)
            defer { silence.stop() }
            let connection = RelayPipes.Connection { [weak self] order, body in
                guard let self, let stream = response.stream else { throw RelayClientError.unreachable("") }
                try await sendFrames(body, order, to: "\(path)/\(stream)")
            } end: { [weak self] in
                channel.close(promise: nil)
                self?.closeIdle()
            }
            pipes?.connect(connection)
            defer { pipes?.disconnect(connection) }
            deliver(.connected)
            return await withTaskCancellationHandler {
                for await received in frames {
                    switch received {
                    case .success(let frames):
                        for frame in frames {
                            if let wake = frame.wake { deliver(.wake(wake.feed, seq: wake.seq)) }
                            pipes?.receive(frame, on: connection)
                        }
                    case .failure(let error): return .invalidAnswer(error.reason)
                    }
                }
                return .unreachable("The stream has ended.")
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            input.finish()
            return error
        }
    }
}

/// Closes a stream on which nothing comes for too long.
private final class SilenceWatch: Sendable {
    // This is a class because the reader and the channel's event loop share it.

    private struct State {
        var last = NIODeadline.now()
        var timer: Scheduled<Void>?
        var isStopped = false
    }

    private static let time = TimeAmount.seconds(Int64(RelayLimits.silenceSeconds))

    private let state = Mutex(State())

    /// Begins to watch.
    func start(_ channel: any Channel) {
        wait(on: channel, for: Self.time)
    }

    /// Notes that something has come. The timer isn't set anew each time, because that wakes the event loop.
    func received() {
        state.withLock { $0.last = .now() }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            return state.timer
        }?.cancel()
    }

    private func wait(on channel: any Channel, for time: TimeAmount) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.timer = channel.eventLoop.scheduleTask(in: time) { self.check(channel) }
        }
    }

    private func check(_ channel: any Channel) {
        let left = state.withLock { $0.last } + Self.time - .now()
        left > .zero ? wait(on: channel, for: left) : channel.close(promise: nil)
    }
}
