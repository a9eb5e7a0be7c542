import Metrics
import Synchronization

/// A series of a metric. Each series has its own lock.
protocol MetricSeries: AnyObject, Sendable {
    /// Writes the samples of the series.
    func write(_ name: String, _ labels: LabelSet, to writer: inout ExpositionWriter)
}

/// A counter. This is a class, as are the other series, because swift-metrics requires it of its handlers.
final class CounterSeries: MetricSeries, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        // A counter must not decrease.
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { count.store(0, ordering: .relaxed) }

    func write(_ name: String, _ labels: LabelSet, to writer: inout ExpositionWriter) {
        writer.sample(name, labels, "\(count.load(ordering: .relaxed))")
    }
}

/// A counter with fractional amounts.
final class AmountSeries: MetricSeries, FloatingPointCounterHandler {
    private let sum = Mutex(0.0)

    func increment(by amount: Double) {
        guard amount > 0 else { return }
        sum.withLock { $0 += amount }
    }

    func reset() { sum.withLock { $0 = 0 } }

    func write(_ name: String, _ labels: LabelSet, to writer: inout ExpositionWriter) {
        writer.sample(name, labels, sum.withLock { $0 }.asSample)
    }
}

/// A gauge, whose value goes up and down.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }

    func write(_ name: String, _ labels: LabelSet, to writer: inout ExpositionWriter) {
        writer.sample(name, labels, value.withLock { $0 }.asSample)
    }
}

/// A histogram of values.
final class HistogramSeries: MetricSeries, TimerHandler, RecorderHandler {
    private struct State {
        /// The number of values in each bucket, and last the number of values above all bounds.
        var counts: [Int64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(_ bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    func write(_ name: String, _ labels: LabelSet, to writer: inout ExpositionWriter) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        var total: Int64 = 0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total += count
            writer.sample(name + "_bucket", labels, "\(total)", and: "le=\"\(bound.asSample)\"")
        }
        writer.sample(name + "_sum", labels, sum.asSample)
        writer.sample(name + "_count", labels, "\(total)")
    }
}

extension Double {
    /// The number in the text format.
    var asSample: String {
        if isNaN { return "NaN" }
        if isInfinite { return self < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: self).map { "\($0)" } ?? "\(self)"
    }
}
