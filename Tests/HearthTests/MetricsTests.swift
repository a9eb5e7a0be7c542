import Foundation
import HubAPI
import PeerProcess
import Testing

/// A hub's metrics, read by Prometheus's own client library.
struct MetricsTests {
    private struct Ready: Decodable, Sendable {
        var event: String
        var metrics: String?
    }

    private struct Report: Decodable, Sendable {
        var contentType: String
        var types: [String: String]
        var help: [String: String]
        var samples: [String: Double]
    }

    private static func read(_ address: String) async throws -> Report {
        let peer = try PeerPython.start("prometheus_metrics.py", ["http://\(address)/metrics"])
        return try await peer.json(Report.self, "the metrics") { _ in true }
    }

    private static func startHub(
        _ fixture: Fixture,
        _ metrics: String
    ) async throws -> (hub: PeerProcess, address: String) {
        let arguments = [
            "hub", "--data", fixture.data, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1", "--json",
            "--metrics", metrics,
        ]
        let hub = try PeerProcess(Programs.hearth, arguments)
        let ready = try await hub.json(Ready.self, "the hub's start") { $0.event == "ready" }
        return (hub, try #require(ready.metrics))
    }

    /// The types of the metrics in `Documentation/Monitoring.md`, each with what to use it for.
    private static func documented() throws -> [String: String] {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Monitoring.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let metrics = rows.filter { $0.count == 7 && $0[1].hasPrefix("`") && !$0[4].isEmpty && !$0[5].isEmpty }
        return Dictionary(metrics.map { ($0[1].trimmingCharacters(in: ["`"]), $0[2]) }) { first, _ in first }
    }

    /// Returns the sum of a metric over its labels.
    private static func sum(_ name: String, _ report: Report) -> Double {
        report.samples.filter { $0.key.hasPrefix(name + "{") }.values.reduce(0, +)
    }

    @Test func theMetricsFollowWhatHappens() async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let (hub, address) = try await Self.startHub(fixture, "127.0.0.1:0")
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            var report = try await Self.read(address)
            #expect(report.contentType == "text/plain; version=0.0.4; charset=utf-8")
            #expect(report.samples["hearth_accessories_reachable"] == 0)
            #expect(report.samples["hearth_append_duration_seconds_count"] ?? 0 >= 1)
            #expect(report.samples["hearth_requests_total{method=home.add,result=done}"] == 1)
            #expect(report.samples["hearth_build_info{version=0.1.0}"] == 1)
            #expect(report.help.filter { $0.value.isEmpty }.isEmpty)
            let documented = try Self.documented()
            // The parser leaves out the suffix of counters.
            let types = report.types.map { ($1 == "counter" ? "\($0)_total" : $0, $1) }
            for (name, type) in types { #expect(documented[name] == type, "\(name) is not documented") }
            #expect(report.samples["process_resident_memory_bytes"] ?? 0 > 1_000_000)

            let added = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")
            #expect(try await fixture.run("set", "Lamp", "On", "true").status == 0)
            // The hub may not have noticed yet that the command has ended.
            report = try await Wait.value {
                $0.samples["hearth_clients"] == 0
            } of: {
                try await Self.read(address)
            }
            #expect(report.samples["hearth_accessories_reachable"] == 1)
            #expect(report.samples["hearth_accessory_server_up{accessory=\(id)}"] == 1)
            #expect(report.samples["hearth_pair_verify_total"] ?? 0 >= 1)
            #expect(report.samples["hearth_wire_requests_total{path=/accessories,status=2xx}"] ?? 0 >= 1)
            #expect(report.samples["hearth_wire_requests_total{path=/characteristics,status=2xx}"] ?? 0 >= 1)
            #expect(report.samples["hearth_mdns_messages_total{direction=received,interface=lo}"] ?? 0 > 0)
            let exchanges = Self.sum("hearth_wire_requests_total", report)
            #expect(report.samples["hearth_wire_request_duration_seconds_count"] == exchanges)
            #expect(report.samples["hearth_clients"] == 0)

            let watch = try PeerProcess(
                Programs.hearth,
                ["watch", "--json"],
                environment: ["HEARTH_SOCKET": fixture.socket]
            )
            _ = try await watch.json(Fixture.Line.self, "the watch") { $0.event == "watching" }
            #expect(await lamp.terminate() == 0)
            _ = try await watch.line("the loss") { $0.contains("nreachable") || $0.contains(#""isReachable":false"#) }
            report = try await Self.read(address)
            #expect(report.samples["hearth_clients"] == 1)
            #expect(report.samples["hearth_accessories_reachable"] == 0)
            #expect(report.samples["hearth_accessory_server_up{accessory=\(id)}"] == 0)
            #expect(Self.sum("hearth_accessories_unreachable", report) == 1)
            #expect(Self.sum("hearth_connection_losses_total", report) >= 1)

            #expect(try await fixture.run("accessory", "remove", "Lamp").status == 0)
            report = try await Self.read(address)
            #expect(report.samples["hearth_accessory_server_up{accessory=\(id)}"] == nil)
            #expect(Self.sum("hearth_accessories_unreachable", report) == 0)
            #expect(!report.samples.keys.contains { $0.contains("Lamp") || $0.contains("My Home") })
            for process in [watch, hub] { _ = await process.terminate() }
        }
    }

    @Test func whatNoMethodIsIsCountedUnderOneName() async throws {
        try await Fixture.with { fixture in
            let (hub, address) = try await Self.startHub(fixture, "0")
            #expect(address.hasPrefix("127.0.0.1:"))
            let client = try PeerProcess(
                try PeerPython.interpreter(),
                [
                    "-c",
                    """
                    import json, socket, sys
                    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile("rw")
                    def call(i, method, params):
                        f.write(json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": params}) + "\\n"); f.flush()
                        while json.loads(f.readline()).get("id") != i: pass
                    call(1, "session.hello", {"version": \(HubProtocol.version), "app": "test.a", "purpose": "Tests."})
                    for i in range(50): call(2 + i, "no.such%d" % i, {})
                    print("done", flush=True)
                    """, fixture.socket,
                ]
            )
            _ = try await client.line("the end") { $0 == "done" }
            let report = try await Self.read(address)
            #expect(report.samples["hearth_requests_total{method=unknown,result=refused}"] == 50)
            #expect(!report.samples.keys.contains { $0.contains("no.such") })
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func whereMetricsCannotBeServedTheHubDoesNotStart() async throws {
        try await Fixture.with { fixture in
            let (hub, address) = try await Self.startHub(fixture, "[::1]:0")
            let other = fixture.folder.appending(path: "other").path
            let arguments = ["hub", "--data", other, "--mdns-interface", "127.0.0.1", "--socket", "\(other).sock"]
            let second = try await fixture.run(arguments + ["--metrics", address])
            #expect(second.status == 1 && second.error.contains("metricsRefused"), "\(second.error)")
            #expect(!FileManager.default.fileExists(atPath: "\(other).sock"))
            for wrong in ["", "x", "65536", "-1", "example.com:9464", "::1:9464", "127.0.0.1:", "1.2.3:80"] {
                let refused = try await fixture.run(arguments + ["--metrics=\(wrong)"])
                #expect(refused.status == 2 && refused.error.contains("--metrics"), "\(wrong): \(refused.error)")
            }
            #expect(await hub.terminate() == 0)
        }
    }
}
