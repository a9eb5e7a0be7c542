import HubAPI
import LocalRPC

/// An acceptor that refuses the requests of a device that sends them too fast, before anything is done for them.
struct RequestLimiter: RPCSessionAcceptor {
    private struct Session: RPCSession {
        let session: any RPCSession
        let deliver: @Sendable (HubMessage) -> Void
        let take: @Sendable () -> Double?

        func receive(_ request: RPCRequest) {
            guard let seconds = take() else { return session.receive(request) }
            let retryAfter = max(1, Int(seconds.rounded(.up)))
            var parts = ErrorParts()
            parts.retryAfter = retryAfter
            let unit = retryAfter == 1 ? "second" : "seconds"
            let error = HubError(
                .tooManyRequests,
                "This device sends too many requests. Wait \(retryAfter) \(unit).",
                parts: parts
            )
            deliver(.reply(id: request.id, .failure(error)))
        }

        func pauseEvents() { session.pauseEvents() }
        func resumeEvents() { session.resumeEvents() }
        func end() { session.end() }
    }

    private let acceptor: any RPCSessionAcceptor<HubEvent>
    private let take: @Sendable () -> Double?

    /// - Parameter take: A closure that counts a request, and returns how many seconds too early it is.
    init(_ acceptor: any RPCSessionAcceptor<HubEvent>, take: @escaping @Sendable () -> Double?) {
        self.acceptor = acceptor
        self.take = take
    }

    func acceptConnection(
        on executor: (any TaskExecutor)?,
        deliver: @escaping @Sendable (HubMessage) -> Void
    ) -> any RPCSession {
        Session(session: acceptor.acceptConnection(on: executor, deliver: deliver), deliver: deliver, take: take)
    }
}
