import Foundation
import HubAPI
import Synchronization
import Testing

@testable import HomeAgent

/// Until when requests from away are valid, and which way a connection takes, as values.
@Suite struct RequestTimesTests {
    private static func request(_ key: UUID? = UUID()) -> HubRequest {
        HubRequest(id: 1, method: "characteristic.write", parameters: Data("{}".utf8), key: key)
    }

    @Test func aRequestFromAwayIsValidForTenSecondsOfTheHubsClock() {
        var times = RequestTimes()
        // Nothing is known of the clock yet.
        #expect(times.stamp(Self.request(), .away, offset: nil, at: 0).until == nil)
        #expect(times.stamp(Self.request(nil), .away, offset: 4_999_000, at: 1_000).until == 5_010_000)
        #expect(times.stamp(Self.request(), .away, offset: 4_999_000, at: 4_000).until == 5_013_000)
        // On the near way nobody holds a request back.
        #expect(times.stamp(Self.request(), .near, offset: 4_999_000, at: 4_000).until == nil)
        // A reading that came late makes times shorter, not longer.
        #expect(times.stamp(Self.request(nil), .away, offset: 4_993_000, at: 10_000).until == 5_013_000)
    }

    @Test func aRequestThatIsSentAgainKeepsItsTimeOnEveryWay() {
        var times = RequestTimes()
        let request = Self.request()
        #expect(times.stamp(request, .away, offset: 0, at: 100).until == 10_100)
        for way in [Way.away, .near] { #expect(times.stamp(request, way, offset: 0, at: 60_000).until == 10_100) }
        // What is remembered is limited; the oldest goes first.
        for _ in 0..<AgentLimits.timedRequests - 1 { _ = times.stamp(Self.request(), .away, offset: 0, at: 200) }
        #expect(times.stamp(request, .near, offset: 0, at: 60_000).until == 10_100)
        _ = times.stamp(Self.request(), .away, offset: 0, at: 200)
        #expect(times.stamp(request, .near, offset: 0, at: 60_000).until == nil)
        for _ in 0..<3 * AgentLimits.timedRequests { _ = times.stamp(Self.request(), .away, offset: 0, at: 300) }
        #expect(times.stamp(request, .near, offset: 0, at: 60_000).until == nil)
    }

    @Test func aRequestThatIsSentAgainToTheOtherHubEndsAtTheSameMomentByThatHubsClock() {
        var times = RequestTimes()
        let request = Self.request()
        #expect(times.stamp(request, .away, offset: 0, at: 100).until == 10_100)
        // The other hub has run for a day longer, or started just now.
        #expect(times.stamp(request, .away, offset: 86_400_000, at: 5_000).until == 86_410_100)
        #expect(times.stamp(request, .near, offset: -50, at: 5_000).until == 10_050)
    }

    // MARK: The race of two ways

    /// A way that the test opens and ends.
    private final class Runner: HubTransport {
        // This is a class because it is one connection.

        struct State {
            var receive: (@Sendable (HubMessage) -> Void)?
            var sent: [Int] = []
            var isClosed = false
        }

        let state = Mutex(State())
        let onOpen: @Sendable () -> Void

        init(_ onOpen: @escaping @Sendable () -> Void) { self.onOpen = onOpen }

        func open(_ receive: @escaping @Sendable (HubMessage) -> Void) { state.withLock { $0.receive = receive } }
        func send(_ request: HubRequest) { state.withLock { $0.sent.append(request.id) } }
        func close() { state.withLock { $0.isClosed = true } }
        func end(_ error: HubError) { state.withLock { $0.receive }?(.closed(error)) }
        func say(_ id: Int) { state.withLock { $0.receive }?(.reply(id: id, .success(Data("{}".utf8)))) }
    }

    /// A race whose near way has a head start of an hour: only its failure starts the other.
    private final class Race: Sendable {
        // This is a class because the runners and the test share it.

        let runners = Mutex<[Way: Runner]>([:])
        let messages = Mutex<[String]>([])
        let winners = Mutex<[Way]>([])
        /// The race, which is set once, before the test sees it.
        private let kept = Mutex<RacingTransport?>(nil)

        init(headStart: Duration = .seconds(3_600)) {
            let transport = RacingTransport(
                near: { self.add(.near, $0) },
                away: { self.add(.away, $0) },
                headStart: headStart
            ) { way in self.winners.withLock { $0.append(way) } }
            kept.withLock { $0 = transport }
            transport.open { message in
                self.messages.withLock { messages in
                    switch message {
                    case .reply(let id, _): messages.append("reply \(id)")
                    case .closed(let error): messages.append(error.code.rawValue)
                    case .event: break
                    }
                }
            }
        }

        func send(_ request: HubRequest) { kept.withLock { $0 }?.send(request) }
        func close() { kept.withLock { $0 }?.close() }
        subscript(way: Way) -> Runner? { runners.withLock { $0[way] } }

        private func add(_ way: Way, _ onOpen: @escaping @Sendable () -> Void) -> Runner {
            let runner = Runner(onOpen)
            runners.withLock { $0[way] = runner }
            return runner
        }
    }

    private static func request(_ id: Int) -> HubRequest {
        HubRequest(id: id, method: "session.hello", parameters: Data("{}".utf8))
    }

    private static let lost = HubError(.noHub, "Nobody answers.")

    @Test func theNearWayIsTakenIfTheHubIsThere() throws {
        let race = Race()
        race.send(Self.request(1))
        let near = try #require(race[.near])
        #expect(race[.away] == nil)
        near.onOpen()
        race.send(Self.request(2))
        #expect(near.state.withLock { $0.sent } == [1, 2])
        near.say(1)
        near.end(Self.lost)
        #expect(race.messages.withLock { $0 } == ["reply 1", "noHub"] && race.winners.withLock { $0 } == [.near])
    }

    @Test func theOtherWayIsTakenAtOnceIfTheNearOneFails() throws {
        let race = Race()
        race.send(Self.request(1))
        try #require(race[.near]).end(Self.lost)
        let away = try #require(race[.away])
        #expect(race.messages.withLock { $0 }.isEmpty)
        away.onOpen()
        #expect(away.state.withLock { $0.sent } == [1] && race.winners.withLock { $0 } == [.away])
        // Whoever lost isn't heard any more.
        race[.near]?.onOpen()
        race[.near]?.say(9)
        away.say(1)
        #expect(race.messages.withLock { $0 } == ["reply 1"] && race.winners.withLock { $0 } == [.away])
        race.close()
        #expect(race.messages.withLock { $0 } == ["reply 1", "connectionLost"])
        #expect(away.state.withLock { $0.isClosed })
    }

    @Test func theLoserOfARaceIsClosedAndWithoutAWinnerTheNearErrorCounts() async throws {
        let both = Race(headStart: .zero)
        while both[.away] == nil { try await Task.sleep(for: .milliseconds(1)) }
        both[.near]?.onOpen()
        both[.away]?.onOpen()
        #expect(both[.away]?.state.withLock { $0.isClosed } == true && both.winners.withLock { $0 } == [.near])

        let none = Race()
        none[.near]?.end(Self.lost)
        none[.away]?.end(HubError(.untrustedHub, "Somebody else."))
        #expect(none.messages.withLock { $0 } == ["noHub"])
        none.close()
        #expect(none.messages.withLock { $0 } == ["noHub"])
    }
}
