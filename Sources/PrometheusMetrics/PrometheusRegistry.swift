import Foundation
package import Metrics
import Synchronization

/// A backend of swift-metrics that stores metrics and writes them in Prometheus' text format.
///
/// It supports counters, gauges (meters, and recorders that do not aggregate) and histograms (timers, in seconds, and
/// recorders that aggregate). All methods can be called from any thread. Invalid characters in the names of metrics and
/// labels are replaced.
package final class PrometheusRegistry: MetricsFactory {
    // This is a class because everything that records metrics shares it.

    /// The limits of a registry.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of series of a metric, each with a different set of labels. Further series are dropped.
        package var seriesPerMetric = 1_000
        /// The maximum number of metrics.
        package var metrics = 1_000

        /// Creates the default limits.
        package init() {}
    }

    private struct State {
        var families: [String: MetricFamily] = [:]
        var dropped: Int64 = 0
    }

    private static let dropped = MetricDescription(
        "metrics_series_dropped_total",
        "Series that were dropped because of a limit, or because another kind of metric has the name."
    )

    private let help: [String: String]
    private let limits: Limits
    private let buckets: [Double]
    private let state = Mutex(State())

    /// Creates an empty registry.
    ///
    /// - Parameters:
    ///   - descriptions: The descriptions of the metrics.
    ///   - buckets: The upper bounds of histogram buckets, ascending; in seconds for timers.
    ///   - limits: The limits of the registry.
    package init(
        describing descriptions: [MetricDescription] = [],
        buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        limits: Limits = Limits()
    ) {
        help = Dictionary(descriptions.map { ($0.name, $0.help) }, uniquingKeysWith: { first, _ in first })
        self.buckets = buckets
        self.limits = limits
    }

    /// All metrics in the text format 0.0.4, sorted by name.
    package var exposition: String {
        var writer = ExpositionWriter()
        let (families, dropped) = state.withLock { ($0.families, $0.dropped) }
        for (name, family) in families.sorted(by: { $0.key < $1.key }) where !family.series.isEmpty {
            writer.begin(name, help[name], family.kind)
            for (labels, series) in family.series.sorted(by: { $0.key.text < $1.key.text }) {
                series.write(name, labels, to: &writer)
            }
        }
        writer.begin(Self.dropped.name, Self.dropped.help, .counter)
        writer.sample(Self.dropped.name, LabelSet(), "\(dropped)")
        return writer.text
    }

    // MARK: MetricsFactory

    /// Creates a counter.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) { CounterSeries() }
    }

    /// Creates a counter of fractional amounts.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter) { AmountSeries() }
    }

    /// Creates a gauge.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) { GaugeSeries() }
    }

    /// Creates a histogram of values, or a gauge.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, .gauge) { GaugeSeries() } }
        return series(label, dimensions, .histogram) { HistogramSeries(self.buckets) }
    }

    /// Creates a histogram of durations.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram) { HistogramSeries(self.buckets) }
    }

    /// Removes a counter.
    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

    /// Removes a counter of fractional amounts.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }

    /// Removes a gauge.
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

    /// Removes a recorder.
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

    /// Removes a timer.
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// Returns the series with a name and labels; a new one that isn't stored if a limit is reached.
    private func series<Series: MetricSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: MetricKind,
        _ make: () -> Series
    ) -> Series {
        let name = label.asMetricName
        let labels = LabelSet(dimensions)
        return state.withLock { state in
            if let series = state.families[name]?.series[labels] as? Series { return series }
            let series = make()
            let family = state.families[name] ?? MetricFamily(kind: kind)
            guard family.kind == kind, family.series[labels] == nil, family.series.count < limits.seriesPerMetric,
                state.families.count < limits.metrics || state.families[name] != nil
            else {
                state.dropped += 1
                return series
            }
            state.families[name, default: family].series[labels] = series
            return series
        }
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for name in state.families.keys {
                if let labels = state.families[name]?.series.first(where: { $0.value === handler })?.key {
                    state.families[name]?.series[labels] = nil
                    return
                }
            }
        }
    }
}

/// The kind of a metric.
enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// The series of one metric.
struct MetricFamily: Sendable {
    let kind: MetricKind
    var series: [LabelSet: any MetricSeries] = [:]
}
