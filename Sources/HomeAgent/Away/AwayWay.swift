import HomeIdentity
import HubAPI
import Logging
import RelayClient
import Synchronization

/// The way to a hub through its relay. It keeps a stream to the relay while it is used, so that a session needs no more than
/// a pipe.
final class AwayWay: Sendable {
    // This is a class because all sessions of a hub share one stream.

    let place: AwayPlace
    private let log: Logger
    private let stream = Mutex<(pipes: RelayPipes, task: Task<Void, Never>)?>(nil)

    init(_ place: AwayPlace, log: Logger) {
        self.place = place
        self.log = log
    }

    deinit {
        stream.withLock { $0?.task.cancel() }
    }

    /// Opens a pipe to the hub, and returns the socket at this end.
    func open() async throws -> CInt {
        try await pipes().open(within: AgentLimits.attemptTime)
    }

    /// Ends the stream with its pipes, because the way isn't used any more.
    func stop() {
        stream.withLock { $0.take() }?.task.cancel()
    }

    private func pipes() throws -> RelayPipes {
        try stream.withLock { stream in
            if let stream { return stream.pipes }
            let client = try RelayClient(place.relay, as: place.key)
            let pipes = RelayPipes()
            let task = Task { [place, log] in
                for await event in client.live(place.house, feed: place.feed, pipes: pipes) {
                    if case .disconnected(let error) = event {
                        log.debug("A relay can't be reached.", metadata: ["reason": "\(error)"])
                    }
                }
            }
            stream = (pipes, task)
            return pipes
        }
    }
}
