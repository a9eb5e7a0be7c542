import AccessorySimulator
import Foundation
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub
@testable import HubServer

/// A week of a house with two hubs and a relay, which fail again and again.
@Suite(.onePairAtATime) struct PairWeekTests {
    /// What fails around a due time.
    private enum Failure: CaseIterable {
        /// The leader stops before the time has come.
        case leader
        /// The other hub stops.
        case other
        /// The relay stops.
        case relay
        /// The leader reaches neither the other hub nor the relay, and stops later.
        case everything
    }

    /// Numbers that follow from a seed.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static let seed: UInt64 = 20_260_302
    private static let hours = 7 * 24
    /// The number of hours in which something fails.
    private static let failures =
        ProcessInfo.processInfo.environment["HEARTH_LONG_SIMULATION"] != nil ? 120 : 8

    /// The hubs that run, and what they told.
    private struct Week {
        let house: PairedHouse
        var hubs: [Int: RunningHub] = [:]
        var told: [PairedHouse.Told] = []
        /// The time, in seconds after noon.
        var now: Int64 = 0

        var outcomes: Int { told.map(\.outcomes.count).reduce(0, +) }
        var firings: Int { told.flatMap(\.outcomes).count { $0 == .fired } }
        /// The writes of what fired that failed.
        var failures: [HubError.Code] { told.flatMap(\.failures) }

        /// Starts a hub that doesn't run.
        mutating func start(_ number: Int) async throws {
            guard hubs[number] == nil else { return }
            let hub = try await house.start(number == 0 ? house.one : house.two)
            hubs[number] = hub
            told.append(PairedHouse.Told(of: hub))
            await advance(hub)
            // An automation that fires must reach the lamp.
            try await hub.reaches(house.lamp.deviceID)
        }

        mutating func stop(_ number: Int) async { await hubs.removeValue(forKey: number)?.stop() }

        /// Starts whatever doesn't run, and waits until a hub leads.
        ///
        /// - Returns: The number of the one that leads.
        mutating func repair(_ relayIsOff: Bool) async throws -> Int {
            if relayIsOff { try await house.relay.start() }
            for number in [0, 1] { try await start(number) }
            return try await leader()
        }

        /// Waits until one of the hubs leads that run, and returns its number.
        func leader() async throws -> Int {
            let hubs = hubs
            return try #require(
                try await Wait.value(where: { $0 != nil }) {
                    for (number, hub) in hubs where await hub.runsAutomations { return number }
                    return nil as Int?
                }
            )
        }

        /// Brings the clocks of the hubs that run to a time, one hub after the other.
        mutating func advance(to time: Int64) async {
            now = time
            for hub in hubs.values { await advance(hub) }
        }

        private func advance(_ hub: RunningHub) async {
            let time = PairedHouse.noon.addingTimeInterval(Double(now))
            let missing = await time.timeIntervalSince(hub.hub.automations.parts.clock.now)
            if missing > 0 { await hub.hub.automations.advance(by: Int64(missing * 1_000)) }
        }

        func end() async {
            for hub in hubs.values { await hub.stop() }
        }
    }

    @Test func noOccurrenceIsWrittenTwiceAndEachOneThatIsNotWrittenIsTold() async throws {
        try await PairedHouse.with { house in
            var week = Week(house: house)
            do {
                try await Self.run(&week)
                await week.end()
            } catch {
                await week.end()
                throw error
            }
        }
    }

    private static func run(_ week: inout Week) async throws {
        let house = week.house
        let leader = try await week.repair(false)
        let (first, second) = (try #require(week.hubs[0]), try #require(week.hubs[1]))
        _ = try await house.leader(of: [first, second])
        let schedule = TimerSchedule(
            fireDate: PairedHouse.noon.addingTimeInterval(3_600),
            recurrence: RecurrenceInterval(hours: 1)
        )
        try await house.addAutomation(
            .timer(schedule),
            at: leader == 0 ? first : second,
            and: leader == 0 ? second : first
        )
        var numbers = Numbers(state: seed)
        let failing = Set((1...hours).shuffled(using: &numbers).prefix(failures))
        var missed = 0
        for hour in 1...hours {
            let (writes, told) = (house.requests.writes.count, week.outcomes)
            let due = Int64(hour) * 3_600
            let failure = failing.contains(hour) ? Failure.allCases.randomElement(using: &numbers) : nil
            let lateness = Int64.random(in: 0...20, using: &numbers)
            try await pass(due, by: lateness, failure, &week)
            let outcomes = week
            try await Wait.until("hour \(hour) is told, after \(String(describing: failure))") {
                outcomes.outcomes > told
            }
            let new = house.requests.writes.count - writes
            #expect(new <= 1, "hour \(hour), \(String(describing: failure))")
            if new == 0 { missed += 1 }
        }
        // Every occurrence that fired was written, or it was told why not, and every other one was told with its reason.
        #expect(house.requests.writes.count == week.firings - week.failures.count, "\(week.failures)")
        #expect(house.requests.writes.count + missed == hours)
        #expect(missed <= failures)
    }

    /// Lets a due time pass while something fails, and repairs it.
    private static func pass(_ due: Int64, by lateness: Int64, _ failure: Failure?, _ week: inout Week) async throws {
        await week.advance(to: due - 60)
        let leader = try await week.leader()
        switch failure {
        case nil: await week.advance(to: due + lateness)
        case .leader:
            await week.stop(leader)
            // What falls due as long as that after the leader was there is too late, and told by who leads next.
            if lateness >= 10 {
                let next = try #require(week.hubs[1 - leader])
                try await Wait.until("the leader is missed") { await next.missesLeader }
            }
            await week.advance(to: due + lateness)
            _ = try await week.leader()
        case .other:
            await week.stop(1 - leader)
            await week.advance(to: due + lateness)
        case .relay:
            await week.house.relay.stop()
            await week.advance(to: due + lateness)
        case .everything:
            await week.house.relay.stop()
            await week.stop(1 - leader)
            let alone = try #require(week.hubs[leader])
            try await Wait.until("no hub leads") { await !alone.runsAutomations }
            await week.advance(to: due + lateness)
        }
        let isRelayOff = failure == .relay || failure == .everything
        _ = try await week.repair(isRelayOff)
        await week.advance(to: due + 60)
    }
}
