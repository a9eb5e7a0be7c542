import Foundation
import HomeModel
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Synchronization
import Testing

/// A hub that is killed at any moment. A client that retries a request gets its effect exactly once.
struct RepeatedRequestTests {
    private static let runs = 6
    private static let longestDelay: UInt32 = 20_000

    /// The state that the hub sent to a client.
    private final class PeerOutput: Sendable {
        // This is a class because the connection's handler and the test share it.
        private let state = Mutex(HubState())

        func apply(_ event: HubEvent) { state.withLock { $0.apply(event) } }

        func rooms(of home: UUID) -> [UUID: String] {
            let rooms = state.withLock { $0.homes[home]?.rooms.map { ($0.id, $0.name) } ?? [] }
            return Dictionary(uniqueKeysWithValues: rooms)
        }
    }

    /// Connects to the hub's socket and sends `session.hello`. Returns the connection and the state that it receives.
    private static func connect(_ fixture: Fixture) async throws -> (HubConnection, PeerOutput) {
        let received = PeerOutput()
        let connection = HubConnection(over: UnixSocketTransport(path: fixture.socket)) { received.apply($0) }
        _ = try await connection.call(HubMethods.hello, Hello(app: "hearth.test", purpose: "Tests."))
        return (connection, received)
    }

    private static func make(
        _ call: EncodedCall<InHome<AddRoom>, AddedItem>,
        on connection: HubConnection
    ) async -> Result<AddedItem, HubError> {
        await withCheckedContinuation { continuation in
            connection.call(call) { (result: Result<AddedItem, HubError>) in continuation.resume(returning: result) }
        }
    }

    @Test func whatWasAskedOfAHubThatIsKilledIsDoneOnceHoweverOftenItIsAsked() async throws {
        try await Fixture.with { fixture in
            var hub = try await fixture.startHub()
            var (connection, received) = try await Self.connect(fixture)
            let home = try await connection.call(HubMethods.addHome, AddHome(name: "Villa")).id
            var added: [UUID: String] = [:]
            for run in 0..<Self.runs {
                let name = "Room \(["A", "B", "C", "D", "E", "F"][run])"
                let call = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: name)), key: UUID())
                let previous = connection
                async let answer = Self.make(call, on: previous)
                // Immediately after the reply, or at some moment before or after it.
                if run.isMultiple(of: 2) {
                    _ = try await answer.get()
                } else {
                    try await Task.sleep(for: .microseconds(UInt32.random(in: 0...Self.longestDelay)))
                }
                hub.kill(SIGKILL)
                _ = await hub.exit()
                let first = try? await answer.get()
                hub = try await fixture.startHub()
                (connection, received) = try await Self.connect(fixture)
                let again = try await Self.make(call, on: connection).get()
                if let first { #expect(again == first) }
                #expect(try await Self.make(call, on: connection).get() == again)
                added[again.id] = name
                #expect(received.rooms(of: home) == added)
            }
            #expect(added.count == Self.runs)
            #expect(await hub.terminate() == 0)
        }
    }
}
