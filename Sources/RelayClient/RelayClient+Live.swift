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
    package func live(
        _ house: HouseID,
        feed: FeedID? = nil,
        door: Bool = false,
        pipes: RelayPipes? = nil
    ) -> AsyncStream<LiveEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.bufferedEvents)) { continuation in
            let task = Task {
                var delay = ReconnectDelay()
                while !Task.isCancelled {
                    let error = await follow(house, feed: feed, door, pipes) { event in
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
        deliver: (LiveEvent) -> Void
    ) async -> RelayClientError {
        let (chunks, input) = AsyncStream.makeStream(of: Data.self)
        do throws(RelayClientError) {
            let query = [feed.map { "feed=\($0)" }, door ? "door=1" : nil, pipes.map { _ in "pipes=1" }]
                .compactMap(\.self)
            let path = "/v1/houses/\(house)/live"
            let (response, channel) = try await stream("\(path)?\(query.joined(separator: "&"))") { input.yield($0) }
            defer { channel.close(promise: nil) }
            guard response.status == 200 else { throw Self.error(in: response) }
            channel.closeFuture.whenComplete { _ in input.finish() }
            let silence = SilenceWatch(channel)
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
                await Self.read(chunks, silence) { frame in
                    if let wake = frame.wake { deliver(.wake(wake.feed, seq: wake.seq)) }
                    pipes?.receive(frame, on: connection)
                }
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            input.finish()
            return error
        }
    }

    private static func read(
        _ chunks: AsyncStream<Data>,
        _ silence: SilenceWatch,
        _ deliver: (LiveFrame) -> Void
    ) async -> RelayClientError {
        var reader = LiveFrameReader()
        for await chunk in chunks {
            silence.restart()
            do throws(RelayError) {
                for frame in try reader.receive(chunk) { deliver(frame) }
            } catch {
                return .invalidAnswer(error.reason)
            }
        }
        return .unreachable("The stream has ended.")
    }
}

/// Closes a stream on which nothing comes for too long.
private final class SilenceWatch: Sendable {
    // This is a class because the reader and the channel's event loop share it.

    private let channel: any Channel
    private let timer = Mutex<Scheduled<Void>?>(nil)

    init(_ channel: any Channel) {
        self.channel = channel
        restart()
    }

    func restart() {
        let channel = channel
        let next = channel.eventLoop.scheduleTask(in: .seconds(Int64(RelayLimits.silenceSeconds))) {
            channel.close(promise: nil)
        }
        let previous = timer.withLock { timer in
            defer { timer = next }
            return timer
        }
        previous?.cancel()
    }

    func stop() { timer.withLock { $0 }?.cancel() }
}
