import Foundation
import Logging
import NIOCore
import Synchronization
import Testing
import WebServer

@testable import HubServer

/// The HTTP server for metrics, with clients that send other requests, send too much, or never finish.
struct MetricsListenerTests {
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private static func with(
        _ limits: MetricsListener.Limits = MetricsListener.Limits(),
        log: Logger = log,
        text: String = "up 1\n",
        _ body: (Int) async throws -> Void
    ) async throws {
        let address = try #require(HTTPAddress("127.0.0.1:0"))
        let listener = try await MetricsListener.start(at: address, limits: limits, logger: log) { text }
        do {
            try await body(listener.address.port)
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
    }

    /// Sends bytes, and reads until the connection closes.
    private static func exchange(_ port: Int, _ request: String) async throws -> String {
        let connection = try RawSocket(connectedToPort: port)
        await connection.send(Data(request.utf8))
        return String(decoding: await connection.readAll(), as: UTF8.self)
    }

    /// Retries until there is an answer. A disconnected client frees its place only a moment later.
    private static func answer(_ port: Int, _ request: String) async throws -> String {
        while true {
            let answer = try await exchange(port, request)
            if !answer.isEmpty { return answer }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func request(_ line: String, _ more: String = "Connection: close\r\n", body: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: x\r\n\(more)\r\n\(body)"
    }

    @Test func metricsAreGivenToThoseWhoGetThem() async throws {
        try await Self.with { port in
            let got = try await Self.exchange(port, Self.request("GET /metrics"))
            #expect(got.hasPrefix("HTTP/1.1 200 ") && got.hasSuffix("\r\n\r\nup 1\n"))
            #expect(got.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            let queried = try await Self.exchange(port, Self.request("GET /metrics?name[]=up"))
            #expect(queried.hasSuffix("up 1\n"))
            let head = try await Self.exchange(port, Self.request("HEAD /metrics"))
            #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
            #expect(head.contains("Content-Length: 5\r\n"))
            // Two requests, one after the other, on one connection.
            let two = Self.request("GET /metrics", "") + Self.request("GET /metrics")
            #expect(try await Self.exchange(port, two).components(separatedBy: "\r\n\r\nup 1\n").count == 3)
        }
    }

    @Test func whatIsNoRequestForMetricsIsRefusedByItsName() async throws {
        try await Self.with { port in
            #expect(try await Self.exchange(port, Self.request("GET /")).hasPrefix("HTTP/1.1 404 "))
            #expect(try await Self.exchange(port, Self.request("GET /metrics/../x")).hasPrefix("HTTP/1.1 404 "))
            let length = "Content-Length: 2\r\n"
            let posted = try await Self.exchange(port, Self.request("POST /metrics", length, body: "ab"))
            #expect(posted.hasPrefix("HTTP/1.1 405 ") && posted.contains("Allow: GET, HEAD\r\n"))
            let full = try await Self.exchange(port, Self.request("GET /metrics", length, body: "ab"))
            #expect(full.hasPrefix("HTTP/1.1 413 "))
            #expect(try await Self.exchange(port, "nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
            // The start of a TLS handshake.
            #expect(try await Self.exchange(port, "\u{16}\u{3}\u{1}\u{2}\u{0}").hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func aRequestMayBeSoLongAndNoLonger() async throws {
        try await Self.with { port in
            let limit = MetricsListener.Limits().requestBytes
            let length = Self.request("GET /metrics", "Connection: close\r\nX: \r\n").utf8.count
            for (extra, isServed) in [(0, true), (1, false)] {
                let filler = String(repeating: "x", count: limit - length + extra)
                let request = Self.request("GET /metrics", "Connection: close\r\nX: \(filler)\r\n")
                #expect(request.utf8.count == limit + extra)
                let answer = try await Self.exchange(port, request)
                #expect(answer.hasSuffix("up 1\n") == isServed)
            }
        }
    }

    @Test func thoseBeyondTheLimitOfConnectionsAreHungUpOn() async throws {
        var limits = MetricsListener.Limits()
        limits.connections = 2
        try await Self.with(limits) { port in
            var held: [RawSocket] = []
            for _ in 0..<limits.connections {
                let connection = try RawSocket(connectedToPort: port)
                await connection.send(Data(Self.request("GET /metrics", "").utf8))
                #expect(await connection.readLines(1).first?.hasPrefix("HTTP/1.1 200 OK") == true)
                held.append(connection)
            }
            #expect(try await Self.exchange(port, Self.request("GET /metrics")) == "")
            held.removeAll()
            // Clients that disconnected free their places.
            #expect(try await Self.answer(port, Self.request("GET /metrics")).hasSuffix("up 1\n"))
        }
    }

    @Test func whoNeverFinishesARequestIsHungUpOn() async throws {
        var limits = MetricsListener.Limits()
        limits.firstRequestTime = .milliseconds(50)
        try await Self.with(limits) { port in
            let silent = try await Self.exchange(port, "")
            let unfinished = try await Self.exchange(port, "GET /metrics HTTP/1.1\r\nHost:")
            #expect(silent == "" && unfinished == "")
        }
    }

    @Test func whoWasServedAndAsksForNothingMoreIsHungUpOn() async throws {
        var limits = MetricsListener.Limits()
        limits.requestTime = .milliseconds(50)
        try await Self.with(limits) { port in
            let served = try await Self.exchange(port, Self.request("GET /metrics", ""))
            #expect(served.hasSuffix("up 1\n"))
        }
    }

    @Test(arguments: [(TimeAmount.hours(1), ["1"]), (.zero, ["1", "1", "1"])])
    func refusedConnectionsAreLoggedOnceInAWhile(time: TimeAmount, counts: [String]) async throws {
        var limits = MetricsListener.Limits()
        limits.connections = 1
        limits.logTime = time
        let lines = RefusalLog()
        try await Self.with(limits, log: Logger(label: "test", factory: { _ in lines })) { port in
            let held = try RawSocket(connectedToPort: port)
            await held.send(Data(Self.request("GET /metrics", "").utf8))
            #expect(await held.readLines(1).first?.hasPrefix("HTTP/1.1 200 OK") == true)
            for _ in 0..<3 { #expect(try await Self.exchange(port, "") == "") }
            #expect(lines.counts == counts)
        }
    }

    @Test func whoDoesNotReadWhatTheyAskedForIsHungUpOn() async throws {
        var limits = MetricsListener.Limits()
        limits.readTime = .milliseconds(50)
        limits.connections = 1
        let text = String(repeating: "up 1\n", count: 8_000_000)
        try await Self.with(limits, text: text) { port in
            let slow = try RawSocket(connectedToPort: port)
            await slow.send(Data(Self.request("GET /metrics").utf8))
            #expect(await slow.readLines(1).first?.hasPrefix("HTTP/1.1 200 OK") == true)
            // There is one place, so another client is served only after the slow one is disconnected.
            #expect(try await Self.answer(port, Self.request("HEAD /metrics")).hasPrefix("HTTP/1.1 200 "))
            #expect(await slow.readAll().count < text.utf8.count / 2)
        }
    }

    @Test func anAddressIsAPortAloneOrAnAddressWithOne() {
        #expect(HTTPAddress("9464")?.description == "127.0.0.1:9464")
        #expect(HTTPAddress("localhost:0")?.description == "127.0.0.1:0")
        #expect(HTTPAddress("[::1]:65535")?.description == "[::1]:65535")
        #expect(HTTPAddress("127.8.0.1:1")?.isLoopback == true && HTTPAddress("[::1]:1")?.isLoopback == true)
        #expect(HTTPAddress("0.0.0.0:1")?.isLoopback == false && HTTPAddress("[::]:1")?.isLoopback == false)
        for wrong in ["", ":1", "+1", "65536", "::1:1", "[127.0.0.1]:1", "[::1]", "host:1", "127.0.0.1", "１:２"] {
            #expect(HTTPAddress(wrong) == nil, "\(wrong)")
        }
    }
}

/// Records how many rejected connections each line of the log reports.
private struct RefusalLog: LogHandler {
    private final class Lines: Sendable {
        // This is a class because copies of the handler share it.
        let counts = Mutex<[String]>([])
    }

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let lines = Lines()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    var counts: [String] { lines.counts.withLock { $0 } }

    func log(event: LogEvent) {
        lines.counts.withLock { $0.append(event.metadata?["connections"]?.description ?? "none") }
    }
}
