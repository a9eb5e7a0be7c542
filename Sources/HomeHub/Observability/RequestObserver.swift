import Foundation
import HubAPI
import Logging

/// Logs and counts the requests of clients: which, whose and what became of them, never what they say.
struct RequestObserver: Sendable {
    /// The hub's own methods: a client may ask for anything.
    private let methods: Set<String>
    private let metrics: HubMetrics
    private let log: Logger

    init(methods: Set<String>, metrics: HubMetrics, log: Logger) {
        self.methods = methods
        self.metrics = metrics
        self.log = log
    }

    /// Takes in a request that was answered.
    func note(_ method: String, of session: HubSession, _ result: Result<Data, HubError>, after duration: Duration) {
        let method = methods.contains(method) ? method : nil
        let failure: HubError? = if case .failure(let error) = result { error } else { nil }
        metrics.noteRequest(method, succeeded: failure == nil, after: duration)
        guard log.logLevel <= .debug else { return }
        var metadata: Logger.Metadata = [
            LogKey.method: "\(method ?? "unknown")", LogKey.client: "\(session.id)",
            LogKey.milliseconds: "\(duration.milliseconds)",
        ]
        if let app = session.hello?.app { metadata[LogKey.app] = "\(app)" }
        if let failure { metadata[LogKey.code] = "\(failure.code.rawValue)" }
        log.debug(failure == nil ? "A request was done." : "A request was refused.", metadata: metadata)
    }
}
