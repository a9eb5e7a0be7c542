import Foundation
import HomeHub
import PeerProcess
import Testing

/// The metrics in `Documentation/Monitoring.md`.
struct MetricDocumentationTests {
    @Test func everyMetricOfTheHubIsDocumentedAndNoOther() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Monitoring.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let documented = rows.compactMap { $0.firstMatch(of: /^\| `(hearth_\w+)` \|/).map { String($0.1) } }
        // The program adds the metric with its version.
        #expect(documented.sorted() == (HubMetric.allCases.map(\.rawValue) + ["hearth_build_info"]).sorted())
    }
}
