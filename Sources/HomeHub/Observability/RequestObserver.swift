import Foundation
import HubAPI
import Logging

/// Logs and counts client requests: the method, the client and the result, but never the content.
struct RequestObserver: Sendable {
    /// The names of the hub's own methods. A client may send any name.
    private let methods: Set<String>
    private let metrics: HubMetrics
    private let log: Logger

    init(methods: Set<String>, metrics: HubMetrics, log: Logger) {
        self.methods = methods
        self.metrics = metrics
        self.log = log
    }

    /// Records a request that has been answered.
    func record(_ method: String, of session: HubSession, _ result: Result<Data, HubError>, after duration: Duration) {
        let method = methods.contains(method) ? method : nil
        let failure: HubError? = if case .failure(let error) = result { error } else { nil }
        metrics.recordRequest(method, succeeded: failure == nil, after: duration)
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
