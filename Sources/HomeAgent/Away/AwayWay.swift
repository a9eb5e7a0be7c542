import HomeIdentity
import HubAPI
import Logging
import RelayAPI
import RelayClient
import Synchronization

/// The way to a hub through its relay. It keeps a stream to the relay while it is used, so that a session needs no more than
/// a pipe.
final class AwayWay: Sendable {
    // This is a class because all sessions of a hub share one stream.

    private struct Stream {
        var pipes: RelayPipes
        var task: Task<Void, Never>
    }

    let place: AwayPlace
    private let log: Logger
    private let stream = Mutex<Stream?>(nil)

    init(_ place: AwayPlace, log: Logger) {
        self.place = place
        self.log = log
    }

    deinit {
        stream.withLock { $0?.task.cancel() }
    }

    /// Opens a pipe to the hub, and returns the socket at this end.
    ///
    /// - Parameter onEnd: A closure that gets the reason if the relay or the hub ends the pipe.
    func open(onEnd: (@Sendable (PipeEnd) -> Void)? = nil) async throws(RelayClientError) -> CInt {
        try await pipes().open(within: AgentLimits.attemptTime, onEnd: onEnd)
    }

    /// Ends the stream with its pipes, because the way isn't used any more.
    func stop() {
        stream.withLock { $0.take() }?.task.cancel()
    }

    private func pipes() throws(RelayClientError) -> RelayPipes {
        if let pipes = stream.withLock({ $0?.pipes }) { return pipes }
        let client = try RelayClient(place.relay, as: place.key)
        return stream.withLock { stream in
            // Another session may have been quicker.
            if let stream { return stream.pipes }
            let pipes = RelayPipes()
            let task = Task { [place, log, weak self] in
                var reason = RelayClientError.unreachable("The stream has ended.")
                for await event in client.live(place.house, feed: place.feed, door: place.feed == nil, pipes: pipes) {
                    guard case .disconnected(let error) = event else { continue }
                    reason = error
                    log.debug("A relay can't be reached.", metadata: ["reason": "\(error)"])
                }
                // The relay doesn't know the key, perhaps not yet. Whoever needs the way next asks again.
                self?.forget(pipes)
                pipes.fail(reason)
            }
            stream = Stream(pipes: pipes, task: task)
            return pipes
        }
    }

    private func forget(_ pipes: RelayPipes) {
        stream.withLock { stream in
            if stream?.pipes === pipes { stream = nil }
        }
    }
}

extension HubError {
    /// Creates the error for a device whose pipe the relay has ended; `nil` if the reason is none for people.
    init?(_ end: PipeEnd) {
        switch end {
        case .noRight:
            self.init(
                .notHere,
                "You can use this home only at home. An owner or administrator can allow it from away."
            )
        case .tooMany:
            self.init(.relayFailed, "This device opens too many connections through the relay. Wait a minute.")
        case .quota:
            self.init(
                .relayFailed,
                "The relay has carried as much for this home as it does in a day. At home, it works as before."
            )
        case .noHub: self.init(.noHub, "The hub isn't connected to its relay.")
        default: return nil
        }
    }
}
