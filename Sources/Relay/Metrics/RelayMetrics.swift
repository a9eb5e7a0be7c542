package import Metrics
import RelayAPI

/// The metrics of a relay, recorded with swift-metrics.
package struct RelayMetrics: Sendable {
    private let factory: any MetricsFactory
    private let duration: Metrics.Timer
    private let entries: Counter
    private let conflicts: Counter
    private let commits: Counter
    private let swept: Counter
    private let storeFailures: Counter

    /// Uses a backend.
    package init(_ factory: any MetricsFactory) {
        self.factory = factory
        duration = Metrics.Timer(label: RelayMetric.requestDuration.rawValue, factory: factory)
        entries = Counter(label: RelayMetric.entries.rawValue, factory: factory)
        conflicts = Counter(label: RelayMetric.conflicts.rawValue, factory: factory)
        commits = Counter(label: RelayMetric.commits.rawValue, factory: factory)
        swept = Counter(label: RelayMetric.swept.rawValue, factory: factory)
        storeFailures = Counter(label: RelayMetric.storeFailures.rawValue, factory: factory)
    }

    /// Counts an answer. Both labels come from fixed tables.
    func count(_ route: RelayRoute.Kind?, status: Int, _ time: Duration?) {
        let labels = [("route", route?.rawValue ?? "none"), ("status", "\(status / 100)xx")]
        Counter(label: RelayMetric.requests.rawValue, dimensions: labels, factory: factory).increment()
        if let time { duration.record(duration: time) }
    }

    /// Counts the results of an append.
    func count(_ results: [AppendResult]) {
        for result in results {
            switch result {
            case .appended: entries.increment()
            case .conflict: conflicts.increment()
            case .refused: break
            }
        }
    }

    /// Counts a transaction.
    package func countCommit() { commits.increment() }

    func countSwept(_ count: Int) { swept.increment(by: Int64(count)) }

    func countStoreFailure() { storeFailures.increment() }

    /// Sets a gauge.
    func set(_ metric: RelayMetric, _ value: Int64) {
        Meter(label: metric.rawValue, factory: factory).set(value)
    }
}
