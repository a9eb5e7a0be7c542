import Foundation
import Metrics
import PeerProcess
import PrometheusMetrics
import Testing

/// The output of a registry as read by Prometheus' own client library.
struct ExpositionTests {
    /// The metrics that the peer read.
    struct Report: Decodable, Sendable {
        var types: [String: String]
        var help: [String: String]
        var samples: [String: Double]
    }

    private static func read(_ text: String) async throws -> Report {
        let script = try PeerPython.packageRoot().appending(path: "Tests/Peers/prometheus_metrics.py").path
        let folder = FileManager.default.temporaryDirectory.appending(path: "metrics-\(UUID().uuidString)")
        try Data(text.utf8).write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let command = #"exec "$0" "$1" <"$2""#
        let python = try PeerPython.interpreter().path
        let peer = try PeerProcess(URL(filePath: "/bin/sh"), ["-c", command, python, script, folder.path])
        return try await peer.json(Report.self, "the metrics") { _ in true }
    }

    @Test func countersGaugesAndHistogramsAreReadAsTheyWereMeasured() async throws {
        let registry = PrometheusRegistry(
            describing: [MetricDescription("jobs_total", "Jobs \\ done,\nall of them.")],
            buckets: [0.1, 1]
        )
        Counter(label: "jobs_total", dimensions: [("kind", "a")], factory: registry).increment(by: 3)
        Counter(label: "jobs_total", dimensions: [("kind", "a")], factory: registry).increment()
        Counter(label: "jobs_total", dimensions: [("kind", "b")], factory: registry).increment()
        FloatingPointCounter(label: "litres_total", factory: registry).increment(by: 2.5)
        let meter = Meter(label: "level", factory: registry)
        meter.set(-1.5)
        let timer = Metrics.Timer(label: "work_seconds", factory: registry)
        for milliseconds in [50, 100, 500, 2_000] { timer.recordMilliseconds(milliseconds) }
        Recorder(label: "sizes", aggregate: true, factory: registry).record(7)

        let report = try await Self.read(registry.exposition)
        #expect(report.types["jobs"] == "counter" && report.types["level"] == "gauge")
        #expect(report.types["work_seconds"] == "histogram" && report.types["sizes"] == "histogram")
        #expect(report.help["jobs"] == "Jobs \\ done,\nall of them.")
        let expected: [String: Double] = [
            "jobs_total{kind=a}": 4, "jobs_total{kind=b}": 1, "litres_total": 2.5, "level": -1.5,
            "work_seconds_bucket{le=0.1}": 2, "work_seconds_bucket{le=1}": 3, "work_seconds_bucket{le=+Inf}": 4,
            "work_seconds_sum": 2.65, "work_seconds_count": 4, "sizes_bucket{le=0.1}": 0, "sizes_bucket{le=1}": 0,
            "sizes_bucket{le=+Inf}": 1, "sizes_sum": 7, "sizes_count": 1, "metrics_series_dropped_total": 0,
        ]
        #expect(report.samples == expected)
    }

    @Test func namesAndLabelsThatPrometheusDoesNotTakeAreMadeSuchThatItDoes() async throws {
        let registry = PrometheusRegistry()
        let labels = [("my label", "a\"b\\c\nd"), ("le", "x"), ("__name__", "y"), ("1", ""), ("ä", "ü\u{2028}")]
        Counter(label: "9 lives.left-ü total", dimensions: labels, factory: registry).increment()
        let report = try await Self.read(registry.exposition)
        let name = "__lives_left___total{_=ü\u{2028},label___name__=y,label_le=x,my_label=a\"b\\c\nd}"
        #expect(report.samples[name] == 1, "\(report.samples)")
    }

    @Test func aRegistryKeepsNoMoreSeriesThanItsLimitAndCountsThoseItDrops() async throws {
        var limits = PrometheusRegistry.Limits()
        limits.seriesPerMetric = 3
        limits.metrics = 2
        let registry = PrometheusRegistry(limits: limits)
        let meters = (0..<4).map { Meter(label: "level", dimensions: [("of", "\($0)")], factory: registry) }
        for (value, meter) in meters.enumerated() { meter.set(value) }
        Counter(label: "level", factory: registry).increment()
        Counter(label: "second_total", factory: registry).increment()
        Counter(label: "third_total", factory: registry).increment()
        var report = try await Self.read(registry.exposition)
        #expect(report.samples["level{of=2}"] == 2 && report.samples["level{of=3}"] == nil)
        #expect(report.samples["second_total"] == 1)
        #expect(report.samples["third_total"] == nil && report.samples["metrics_series_dropped_total"] == 3)
        // Removing a series makes room.
        meters[0].destroy()
        Meter(label: "level", dimensions: [("of", "4")], factory: registry).set(4)
        report = try await Self.read(registry.exposition)
        #expect(report.samples["level{of=0}"] == nil && report.samples["level{of=4}"] == 4)
    }

    @Test func whatIsCountedByManyThreadsIsCountedOnce() async throws {
        let registry = PrometheusRegistry()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        Counter(label: "n_total", dimensions: [("a", "b")], factory: registry).increment()
                        Metrics.Timer(label: "t", factory: registry).recordSeconds(1)
                    }
                }
            }
        }
        let report = try await Self.read(registry.exposition)
        #expect(report.samples["n_total{a=b}"] == 8_000 && report.samples["t_count"] == 8_000)
    }

    @Test func theProcessIsMeasuredAsTheSystemSeesIt() async throws {
        let file = try #require(fopen("/dev/null", "r"))
        let before = Date().timeIntervalSince1970
        let report = try await Self.read(ProcessMetrics.exposition)
        fclose(file)
        let samples = report.samples
        #expect(try #require(samples["process_cpu_seconds_total"]) >= 0)
        #expect(try #require(samples["process_resident_memory_bytes"]) > 1_000_000)
        #expect(try #require(samples["process_open_fds"]) >= 4)
        #expect(samples["process_max_fds"] ?? 0 > samples["process_open_fds"] ?? 0)
        let start = try #require(samples["process_start_time_seconds"])
        let line = try #require(
            ProcessMetrics.exposition.split(separator: "\n").first { $0.hasPrefix("process_start_time") }
        )
        for _ in 1...20 { #expect(ProcessMetrics.exposition.contains("\n\(line)\n")) }
        #expect(start <= before && start > before - 86_400)
    }
}
