import Foundation
import Logging
import NIOCore
import RawHTTP
import Testing
import WebServer

@testable import HubServer

/// What connections of voice satellites can't do: fill the hub's memory, hold all connections, or be anything but
/// satellites.
struct WyomingListenerTests {
    private static func with(
        _ limits: WyomingListener.Limits = WyomingListener.Limits(),
        _ body: (Int) async throws -> Void
    ) async throws {
        try await ServedHub.with { served in
            let listener = try await WyomingListener.start(
                at: try #require(HTTPAddress("127.0.0.1:0")),
                of: served.hub,
                as: nil,
                version: "1",
                limits: limits,
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            )
            let result: Result<Void, any Error>
            do { result = .success(try await body(listener.address.port)) } catch { result = .failure(error) }
            await listener.stop()
            try result.get()
        }
    }

    private static let ping = #"{"type":"ping","data":{"text":"x"}}"# + "\n"

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", #"{"type":"transcript","data":{"text":"x""# + "\n",
        String(repeating: "x", count: 100_000), #"{"type":"transcript","data_length":100000}"# + "\n",
        #"{"type":"audio-chunk","payload_length":99999999999}"# + "\n",
    ])
    func whatIsNoEventEndsItsConnectionOnly(text: String) async throws {
        try await Self.with { port in
            let bad = try HTTPConnection(port: port)
            let good = try HTTPConnection(port: port)
            try? await bad.send(text)
            _ = await bad.drain()
            try await good.send(Self.ping)
            try await good.waitForBytes()
        }
    }

    @Test func asManyConnectionsAsTheLimitAllowsAreServed() async throws {
        var limits = WyomingListener.Limits()
        limits.connections = 2
        try await Self.with(limits) { port in
            let connections = [try HTTPConnection(port: port), try HTTPConnection(port: port)]
            for connection in connections {
                try await connection.send(Self.ping)
                try await connection.waitForBytes()
            }
            let third = try HTTPConnection(port: port)
            try? await third.send(Self.ping)
            #expect(await third.drain() == 0)
            for connection in connections { connection.end() }
            // The others make room as soon as the listener knows that they have ended.
            while true {
                let later = try HTTPConnection(port: port)
                try? await later.send(Self.ping)
                try? await later.waitForBytes()
                later.end()
                if await later.drain() > 0 { break }
            }
        }
    }

    @Test func aConnectionOnWhichNothingHappensEnds() async throws {
        var limits = WyomingListener.Limits()
        limits.idleTime = .milliseconds(50)
        try await Self.with(limits) { port in
            let connection = try HTTPConnection(port: port)
            #expect(await connection.drain() == 0)
        }
    }
}
