import Foundation
import HomeKitTesting
import HubAPI
import Logging
import RawHTTP
import Synchronization
import Testing
import WebServer

@testable import HubServer

/// The page that controls a program, such as the simulator.
struct ControlListenerTests {
    /// A program with one method and a log of events.
    private final class Program: ControlBackend {
        // This is a class because a test and a listener share it.

        private struct State {
            var first: UInt64 = 0
            var events: [ControlEventBatch.Event] = []
        }

        private let state = Mutex(State())

        func call(_ method: String, _ parameters: Data) async throws(HubError) -> Data {
            guard method == "value.set" else { throw HubError(.unknownMethod, "There is no method “\(method)”.") }
            add("value", parameters)
            return Data("{}".utf8)
        }

        func add(_ name: String, _ json: Data) {
            state.withLock { $0.events.append(ControlEventBatch.Event(name: name, json: json)) }
        }

        /// Drops the events so far.
        func drop() {
            state.withLock { state in
                state.first += UInt64(state.events.count)
                state.events = []
            }
        }

        func events(after position: UInt64?) async throws(HubError) -> ControlEventBatch {
            while true {
                let batch = state.withLock { state -> ControlEventBatch? in
                    let last = state.first + UInt64(state.events.count)
                    guard let position else { return ControlEventBatch(next: last, missed: 0, events: []) }
                    guard position < last else { return nil }
                    let start = max(position, state.first)
                    let events = Array(state.events.dropFirst(Int(start - state.first)))
                    return ControlEventBatch(next: last, missed: start - position, events: events)
                }
                if let batch { return batch }
                do {
                    try await Task.sleep(for: .milliseconds(2))
                } catch {
                    throw HubError(.cancelled, "Nobody waits any more.")
                }
            }
        }
    }

    private struct Served {
        var program: Program
        var listener: ControlListener
        var clock: ManualClock
        var page: PageClient

        func stream(_ body: String = "{}") async throws -> PageStream { try await page.stream(body) }
    }

    private static func with(_ limits: HTTPLimits = HTTPLimits(), _ body: (Served) async throws -> Void) async throws {
        let (program, clock) = (Program(), ManualClock())
        let listener = try await ControlListener.start(
            at: try #require(HTTPAddress("127.0.0.1:0")),
            files: PageFiles(
                ["index.html": Array("home".utf8), "simulator.html": Array("<p>@ASSETS@".utf8)],
                index: "simulator.html"
            ),
            backend: program,
            limits: limits,
            clock: clock,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        let url = try #require(URL(string: listener.url))
        var page = PageClient(port: try #require(url.port))
        page.token = url.fragment.map { String($0.dropFirst(6)) }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Served(program: program, listener: listener, clock: clock, page: page)))
        } catch {
            result = .failure(error)
        }
        await listener.stop()
        try result.get()
    }

    @Test func thePageCallsMethodsAndFollowsEvents() async throws {
        try await Self.with { served in
            let index = try await served.page.get("/")
            #expect(index.status == 200 && String(decoding: index.body, as: UTF8.self).hasPrefix("<p>"))
            let stream = try await served.stream()
            #expect(stream.hello.json["next"] as? Int == 0 && (stream.hello.json["assets"] as? String)?.count == 16)
            #expect(try await served.page.post("/api/value.set", #"{"value":1}"#).json["result"] != nil)
            let event = try #require(try await stream.next())
            #expect(event.name == "value" && event.id == "1" && event.json["value"] as? Int == 1)
            let unknown = try await served.page.post("/api/value.other")
            #expect(unknown.status == 404 && unknown.code == "unknownMethod")
            stream.connection.end()
        }
    }

    @Test func aStreamContinuesAfterTheLastEvent() async throws {
        try await Self.with { served in
            for value in 1...3 { served.program.add("value", Data("{\"value\":\(value)}".utf8)) }
            let stream = try await served.stream(#"{"after":1}"#)
            #expect(try await stream.next()?.id == "2")
            #expect(try await stream.next()?.id == "3")
            served.program.drop()
            served.program.add("value", Data("{}".utf8))
            let late = try await served.stream(#"{"after":1}"#)
            #expect(try await late.next("missed").json["count"] as? Int == 2)
            #expect(try await late.next()?.id == "4")
            // Of an earlier run, which had more events.
            let other = try await served.stream(#"{"after":900}"#)
            served.program.add("value", Data("{}".utf8))
            #expect(try await other.next()?.id == "5")
            for stream in [stream, late, other] { stream.connection.end() }
        }
    }

    @Test func aStreamShowsThatItLives() async throws {
        try await Self.with { served in
            let stream = try await served.stream()
            try await served.clock.advance(by: HTTPLimits().heartbeat)
            #expect(try await stream.next()?.name == "comment")
            served.program.add("value", Data("{}".utf8))
            #expect(try await stream.next()?.name == "value")
            stream.connection.end()
        }
    }

    @Test func requestsWithoutTheTokenAndForeignOnesAreRefused() async throws {
        try await Self.with { served in
            for token in [nil, "", "x", served.page.token.map { $0 + "x" }] {
                var page = served.page
                page.token = token
                for path in ["/api/value.set", "/api/events"] {
                    let refused = try await page.post(path)
                    #expect(refused.status == 401 && refused.code == "signedOut", "\(path)")
                }
            }
            #expect(try await served.page.post("/api/value.set", "{}", ["Host": "evil.test"]).status == 421)
            #expect(try await served.page.post("/api/value.set", "{}", ["Origin": "http://evil.test"]).status == 403)
            #expect(try await served.page.post("/api/value.set", "{}", ["Content-Type": "text/plain"]).status == 415)
            #expect(try await served.page.get("/api/value.set").status == 405)
            #expect(try await served.program.events(after: nil).next == 0)
        }
    }

    @Test func openStreamsAreLimited() async throws {
        var limits = HTTPLimits()
        limits.controlStreams = 2
        try await Self.with(limits) { served in
            let first = try await served.stream()
            let second = try await served.stream()
            #expect(try await served.page.post("/api/events").status == 429)
            first.connection.end()
            // The program notices the end a moment later.
            while try await served.page.post("/api/events").status == 429 {
                try await Task.sleep(for: .milliseconds(10))
            }
            second.connection.end()
        }
    }
}
