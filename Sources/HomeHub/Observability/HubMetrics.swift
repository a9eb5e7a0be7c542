import HAP
import HAPClient
import HubAPI
import Metrics

/// The hub's metrics, recorded with swift-metrics. Without a backend they cost almost nothing.
///
/// The hub bounds the values of labels, regardless of its peers: causes, paths and status classes come from fixed
/// tables, and accessory servers are those that are paired.
struct HubMetrics: Sendable {
    private let factory: any MetricsFactory
    private let connectionAttempts: Counter
    private let verifications: Counter
    private let events: Counter
    private let wireDuration: Metrics.Timer
    private let requestDuration: Metrics.Timer
    private let appendDuration: Metrics.Timer
    private let appendFailures: Counter
    private let clients: Meter
    private let questions: Meter
    private let reachable: Meter

    /// A value that records nothing.
    static let none = HubMetrics(NOOPMetricsHandler.instance)

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        connectionAttempts = Counter(label: HubMetric.connectionAttempts.rawValue, factory: factory)
        verifications = Counter(label: HubMetric.verifications.rawValue, factory: factory)
        events = Counter(label: HubMetric.events.rawValue, factory: factory)
        wireDuration = Metrics.Timer(label: HubMetric.wireDuration.rawValue, factory: factory)
        requestDuration = Metrics.Timer(label: HubMetric.requestDuration.rawValue, factory: factory)
        appendDuration = Metrics.Timer(label: HubMetric.appendDuration.rawValue, factory: factory)
        appendFailures = Counter(label: HubMetric.appendFailures.rawValue, factory: factory)
        clients = Meter(label: HubMetric.clients.rawValue, factory: factory)
        questions = Meter(label: HubMetric.questions.rawValue, factory: factory)
        reachable = Meter(label: HubMetric.reachable.rawValue, factory: factory)
    }

    // MARK: Counters

    /// Records a session's network activity.
    func record(_ activity: SessionActivity) {
        switch activity {
        case .connecting: connectionAttempts.increment()
        case .notConnected(let cause): count(.connectionFailures, "cause", AccessoryTrouble(cause).rawValue)
        case .connected: break
        case .verified: verifications.increment()
        case .notVerified(let cause): count(.verificationFailures, "cause", AccessoryTrouble(cause).rawValue)
        case .answered(let exchange):
            wireDuration.record(duration: exchange.duration)
            let labels = [("path", exchange.path), ("status", exchange.statusClass)]
            Counter(label: HubMetric.wireRequests.rawValue, dimensions: labels, factory: factory).increment()
        case .event: events.increment()
        case .lost(let cause): count(.connectionLosses, "cause", AccessoryTrouble(cause).rawValue)
        }
    }

    /// Records a client's request that has been answered.
    ///
    /// - Parameter method: The name of one of the hub's methods; `nil` for an unknown method.
    func recordRequest(_ method: String?, succeeded: Bool, after duration: Duration) {
        requestDuration.record(duration: duration)
        let labels = [("method", method ?? "unknown"), ("result", succeeded ? "done" : "refused")]
        Counter(label: HubMetric.requests.rawValue, dimensions: labels, factory: factory).increment()
    }

    /// Records a transaction of the store.
    func recordAppend(after duration: Duration) {
        appendDuration.record(duration: duration)
    }

    /// Records a failed transaction of the store.
    func recordFailedAppend() {
        appendFailures.increment()
    }

    private func count(_ metric: HubMetric, _ label: String, _ value: String) {
        Counter(label: metric.rawValue, dimensions: [(label, value)], factory: factory).increment()
    }

    /// Records multicast DNS messages.
    ///
    /// - Parameter direction: `received` or `sent`.
    func record(messages: Int, _ direction: String, on interface: String) {
        let labels = [("interface", interface), ("direction", direction)]
        Counter(label: HubMetric.messages.rawValue, dimensions: labels, factory: factory).increment(by: messages)
    }

    // MARK: Gauges

    /// Sets the gauges to the current state. Call it before the metrics are read.
    func set(_ statistics: HubStatistics) {
        clients.set(statistics.clients)
        questions.set(statistics.questions)
        reachable.set(statistics.reachableAccessories)
        for cause in HubStatistics.causes {
            let count = statistics.unreachableAccessories[cause] ?? 0
            Meter(label: HubMetric.unreachable.rawValue, dimensions: [("cause", cause)], factory: factory).set(count)
        }
        for (server, isReachable) in statistics.servers { self.server(server).set(isReachable ? 1 : 0) }
    }

    /// Removes the gauge of an accessory server that is no longer paired.
    func forget(server: String) {
        self.server(server).destroy()
    }

    private func server(_ id: String) -> Meter {
        Meter(label: HubMetric.server.rawValue, dimensions: [("accessory", id)], factory: factory)
    }
}

extension WireExchange {
    /// The first digit of the status. An accessory may respond with any number.
    fileprivate var statusClass: String {
        (1...5).contains(status.rawValue / 100) ? "\(status.rawValue / 100)xx" : "other"
    }
}
