import AccessorySimulator
import Foundation
import HAPCatalog
import HomeModel
import HomeStore
import HubAPI
import LocalRPC
import PeerProcess
import Replication
import Synchronization
import Testing

@testable import HomeHub
@testable import HubServer

/// Automations of a house with two hubs.
@Suite(.onePairAtATime) struct PairAutomationTests {
    /// Runs a body with two hubs: the one that leads and the other one.
    private static func withHubs(
        _ body: (PairedHouse, _ leader: RunningHub, _ other: RunningHub) async throws -> Void
    ) async throws {
        try await PairedHouse.with { house in
            try await house.start(house.one).run { first in
                try await house.start(house.two).run { second in
                    let (leader, other) = try await house.leader(of: [first, second])
                    try await body(house, leader, other)
                }
            }
        }
    }

    @Test func aTimerFiresOnceAtTheLeaderWithAPreparedWrite() async throws {
        try await Self.withHubs { house, leader, other in
            try await house.addAutomation(house.timer(at: 60), at: leader, and: other)
            let (told, otherTold) = (PairedHouse.Told(of: leader), PairedHouse.Told(of: other))
            await PairedHouse.advance(other, by: 65)
            await PairedHouse.advance(leader, by: 65)
            #expect(told.outcomes == [.fired] && otherTold.outcomes.isEmpty)
            #expect(house.requests.writes.count == 1 && house.requests.preparations.count == 1)
            #expect(house.requests.preparations.first?.contains(#""ttl":2500"#) == true)
            #expect(house.requests.writes.first?.contains(#""pid""#) == true)
            #expect(told.failures.isEmpty)
            try await Wait.until("the claim has ended at both hubs") {
                guard try await leader.hub.store.incompleteFirings().isEmpty else { return false }
                return try await other.hub.store.incompleteFirings().isEmpty
            }
        }
    }

    @Test func theOtherHubCarriesOutWhatTheLeaderDidNotClaim() async throws {
        try await Self.withHubs { house, leader, other in
            try await house.addAutomation(house.timer(at: 60), at: leader, and: other)
            let told = PairedHouse.Told(of: other)
            await PairedHouse.advance(other, by: 69)
            #expect(house.requests.writes.isEmpty)
            await leader.stop()
            try await Wait.until("the other hub leads") { await other.runsAutomations }
            try await Wait.until("it is carried out") { told.outcomes == [.fired] }
            try await Wait.until("the lamp is on") { house.requests.writes.count == 1 }
        }
    }

    @Test func theOtherHubOnlyTellsWhatTheLeaderClaimedAndDidNotEnd() async throws {
        try await Self.withHubs { house, leader, other in
            let trigger = try await house.addAutomation(house.timer(at: 60), at: leader, and: other)
            let told = PairedHouse.Told(of: other)
            // The leader stops just after its claim is committed.
            let due = Int64((PairedHouse.noon.timeIntervalSince1970 + 60) * 1_000)
            let claim = FiringClaim(
                home: house.home,
                trigger: trigger,
                occurrence: "\(trigger)@\(due)",
                time: PairedHouse.noon.addingTimeInterval(60)
            )
            #expect(try await leader.hub.changes.claim([claim]) == [true])
            await leader.stop()
            await PairedHouse.advance(other, by: 65)
            try await Wait.until("the other hub leads") { await other.runsAutomations }
            #expect(told.outcomes == [.begunByOtherHub])
            await PairedHouse.advance(other, by: 60)
            #expect(told.outcomes == [.begunByOtherHub] && house.requests.writes.isEmpty)
            #expect(try await other.hub.store.incompleteFirings().isEmpty)
        }
    }

    @Test func whatFellDueWhileAHubSleptAndNoneLedIsMissed() async throws {
        try await PairedHouse.with(from: nil) { house in
            let slept = Mutex([house.one: 0.0, house.two: 0.0])
            func start(_ folder: URL) async throws -> RunningHub {
                try await house.start(folder) { Date().addingTimeInterval(slept.withLock { $0[folder] ?? 0 }) }
            }
            try await start(house.one).run { first in
                try await start(house.two).run { second in
                    let (leader, other) = try await house.leader(of: [first, second])
                    let minute = (Date().timeIntervalSince1970 / 60).rounded(.down) + 30
                    let due = TimerSchedule(fireDate: Date(timeIntervalSince1970: 60 * minute))
                    try await house.addAutomation(.timer(due), at: leader, and: other)
                    let told = PairedHouse.Told(of: other)
                    try await Wait.until("the other hub follows") { await !other.missesLeader }
                    // The other hub sleeps for an hour, and when it goes on the leader is off.
                    slept.withLock { $0[other.hub.transferFolder] = 3_600 }
                    await leader.stop()
                    try await Wait.until("the other hub leads") { await other.runsAutomations }
                    try await Wait.until("it is told that the automation didn't run") { told.outcomes == [.missed] }
                    #expect(house.requests.writes.isEmpty)
                }
            }
        }
    }

    @Test func aHubThatReachesNobodyFiresNothingAndTellsSoWhenItLeadsAgain() async throws {
        try await PairedHouse.with { house in
            try await house.start(house.one, voting: false).run { first in
                let told = PairedHouse.Told(of: first)
                try await house.start(house.two, voting: false).run { second in
                    let (leader, other) = try await house.leader(of: [first, second])
                    try await house.addAutomation(house.timer(at: 60), at: leader, and: other)
                }
                try await Wait.until("no hub leads") { await first.role == .withoutLeader }
                try await Wait.until("automations wait") { await !first.runsAutomations }
                await PairedHouse.advance(first, by: 90)
                #expect(told.outcomes.isEmpty && house.requests.writes.isEmpty)
                try await RunningHub.setClock(of: house.two, to: PairedHouse.noon.addingTimeInterval(90))
                try await house.start(house.two, voting: false).run { second in
                    let told = [told, PairedHouse.Told(of: second)]
                    _ = try await house.leader(of: [first, second])
                    try await Wait.until("it is told as too late") { told.flatMap(\.outcomes) == [.late] }
                    #expect(house.requests.writes.isEmpty)
                }
            }
        }
    }

    @Test func aWriteIsNotSentIfTheHubWasStoppedWhileTheAccessoryPreparedIt() async throws {
        try await Self.withHubs { house, leader, other in
            try await house.addAutomation(house.timer(at: 60), at: leader, and: other)
            let told = PairedHouse.Told(of: leader)
            let clock = await leader.hub.automations.parts.clock
            house.requests.whenPrepared { clock.set(PairedHouse.noon.addingTimeInterval(71)) }
            await PairedHouse.advance(leader, by: 60)
            #expect(told.outcomes == [.fired] && told.failures == [.expired])
            #expect(house.requests.preparations.count == 1 && house.requests.writes.isEmpty)
        }
    }

    @Test func anAccessoryDoesNotObeyAWriteThatComesLaterThanItWasPreparedFor() async throws {
        try await Self.withHubs { house, leader, other in
            try await house.addAutomation(house.timer(at: 60), at: leader, and: other)
            let told = PairedHouse.Told(of: leader)
            // Nobody knows that it takes so long, the hub's clock doesn't either.
            _ = try await house.simulator.inject(Fault("latency 3s"), into: house.lamp.name)
            await PairedHouse.advance(leader, by: 60)
            try await Wait.until("the lamp refuses") { !told.failures.isEmpty }
            #expect(told.outcomes == [.fired] && told.failures.count == 1)
            #expect(house.requests.preparations.count == 1 && house.requests.writes.count == 1)
            #expect(try await house.simulator.value(of: house.simulator.find(house.lamp.name, "On")) == .bool(false))
        }
    }

    /// Claims, and lets time pass before it says so.
    private struct SlowClaims: ChangeWriter {
        let writer: any ChangeWriter
        let passTime: @Sendable () async -> Void

        nonisolated(nonsending) func append(
            _ drafts: [EntryDraft],
            removing removed: [LogID]
        ) async throws(StoreError) -> [AppendedEntry] {
            try await writer.append(drafts, removing: removed)
        }

        func claim(
            _ claims: [FiringClaim],
            updating values: [Int: [StateKey: [UInt8]?]]
        ) async throws(StoreError) -> [Bool] {
            let results = try await writer.claim(claims, updating: values)
            await passTime()
            return results
        }

        func complete(_ claim: FiringClaim, updating values: [StateKey: [UInt8]?]) async throws(StoreError) {
            try await writer.complete(claim, updating: values)
        }

        func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) { try await writer.setStates(values) }

        func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) {
            try await writer.setSecrets(values)
        }
    }

    @Test func whatIsClaimedTooLateHasNotRun() async throws {
        try await Self.withHubs { house, leader, other in
            let schedule = TimerSchedule(
                fireDate: PairedHouse.noon.addingTimeInterval(60),
                recurrence: RecurrenceInterval(minutes: 5)
            )
            let trigger = try await house.addAutomation(.timer(schedule), at: leader, and: other)
            let told = PairedHouse.Told(of: leader)
            let clock = await leader.hub.automations.parts.clock
            func lastRuns() -> [Date?] { [leader, other].map { $0.hub.live.run(of: trigger)?.last } }
            let writer = leader.hub.changes.writer
            func fire(claimedAfter seconds: TimeInterval) async throws {
                let end = clock.now.addingTimeInterval(60 + seconds)
                // The hub was stopped while the other one took the claim.
                if seconds > 0 { leader.hub.changes.use(SlowClaims(writer: writer) { clock.set(end) }) }
                await PairedHouse.advance(leader, by: 60)
                leader.hub.changes.use(writer)
                try await Wait.until("the claim has ended at both hubs") {
                    guard try await leader.hub.store.incompleteFirings().isEmpty else { return false }
                    return try await other.hub.store.incompleteFirings().isEmpty
                }
            }
            try await fire(claimedAfter: 11)
            #expect(told.outcomes == [.late] && house.requests.writes.isEmpty)
            try await Wait.until("no hub says that it ran") { lastRuns() == [nil, nil] }

            clock.set(PairedHouse.noon.addingTimeInterval(300))
            try await fire(claimedAfter: 0)
            #expect(told.outcomes == [.late, .fired] && house.requests.writes.count == 1)
            let last = PairedHouse.noon.addingTimeInterval(360)
            try await Wait.until("both hubs say when it ran") { lastRuns() == [last, last] }

            clock.set(PairedHouse.noon.addingTimeInterval(600))
            try await fire(claimedAfter: 11)
            #expect(told.outcomes == [.late, .fired, .late] && house.requests.writes.count == 1)
            try await Wait.until("both hubs say when it ran") { lastRuns() == [last, last] }
            for store in [leader.hub.store, other.hub.store] {
                let key = StateKey(.run, home: house.home, id: trigger)
                #expect(try await store.states(.run)[key] == RunState(last: last).bytes)
            }
        }
    }

    @Test func anAccessoryThatPreparesNothingIsNamed() async throws {
        try await Self.withHubs { house, leader, other in
            try await house.addAutomation(house.timer(at: 60), at: leader, and: other)
            let told = PairedHouse.Told(of: leader)
            let owner = try await leader.owner()
            defer { owner.close() }
            #expect(try await owner.call(HubMethods.hubs, Empty()).unprepared.isEmpty)
            _ = try await house.simulator.inject(Fault("no-timed-writes"), into: house.lamp.name)
            await PairedHouse.advance(leader, by: 60)
            #expect(told.outcomes == [.fired] && told.failures.isEmpty)
            #expect(house.requests.preparations.count == 1 && house.requests.writes.count == 1)
            let unprepared = try await owner.call(HubMethods.hubs, Empty()).unprepared
            #expect(unprepared.map(\.accessory) == [house.lamp.name])
            let lamp = try #require(
                await leader.hub.database.stored.homes[house.home]?.accessories.first { $0.name == house.lamp.name }
            )
            let target = ItemTarget(home: house.home, id: lamp.id)
            let allowed = try await owner.call(HubMethods.diagnoseAccessory, target).steps.first { $0.name == .allowed }
            #expect(allowed?.findings.map(\.trouble) == [.unprepared])
        }
    }

    @Test func eventsRightAfterATakeoverAreIgnored() async throws {
        try await Self.withHubs { house, leader, other in
            try await house.addAutomation(house.motion(at: leader), at: leader, and: other)
            let told = PairedHouse.Told(of: other)
            await leader.stop()
            try await Wait.until("the other hub leads") { await other.runsAutomations }
            try await house.setMotion(true, seenBy: other)
            try await Wait.until("the event is told") { told.outcomes == [.takeover] }
            try await house.setMotion(false, seenBy: other)
            await PairedHouse.advance(other, by: 2)
            try await house.setMotion(true, seenBy: other)
            try await Wait.until("the next event fires") { told.outcomes == [.takeover, .fired] }
            try await Wait.until("the lamp is on") { house.requests.writes.count == 1 }
        }
    }

    @Test func theOtherHubEndsWhatTheLeaderBegan() async throws {
        try await Self.withHubs { house, leader, other in
            try await house.addAutomation(house.motion(at: leader, endsAfter: 600), at: leader, and: other)
            let (told, otherTold) = (PairedHouse.Told(of: leader), PairedHouse.Told(of: other))
            await PairedHouse.advance(leader, by: 2)
            try await house.setMotion(true, seenBy: leader)
            try await Wait.until("the lamp is on") { house.requests.writes.count == 1 && told.outcomes == [.fired] }
            try await Wait.until("the claim has ended") { try await leader.hub.store.incompleteFirings().isEmpty }
            await leader.stop()
            await PairedHouse.advance(other, by: 500)
            try await Wait.until("the other hub leads") { await other.runsAutomations }
            #expect(otherTold.outcomes.isEmpty)
            await PairedHouse.advance(other, by: 110)
            #expect(otherTold.outcomes == [.ended])
            #expect(house.requests.writes.count == 2)
        }
    }

    @Test func aHubThatBecomesOneOfTwoWhileItRunsClaimsWhatItCarriesOut() async throws {
        try await PairedHouse.with(isJoined: false) { house in
            try await house.start(house.one, voting: false).run { first in
                let told = PairedHouse.Told(of: first)
                try await house.reached(by: first)
                try await house.addAutomation(house.timer(at: 60), at: first, and: first)
                await PairedHouse.advance(first, by: 60)
                #expect(told.outcomes == [.fired] && house.requests.writes.count == 1)
                #expect(house.requests.preparations.isEmpty)
                try await house.addAutomation(house.timer(at: 120), named: "Later", at: first, and: first)
                try await first.letJoin(house.two)
                // Without the other hub and a relay it doesn't lead, and carries nothing out.
                try await Wait.until("automations wait") { await !first.runsAutomations }
                await PairedHouse.advance(first, by: 62)
                #expect(told.outcomes == [.fired] && house.requests.writes.count == 1)

                try await RunningHub.setClock(of: house.two, to: PairedHouse.noon.addingTimeInterval(122))
                try await house.start(house.two, voting: false).run { second in
                    let otherTold = PairedHouse.Told(of: second)
                    try await Wait.until("one of them carries it out") {
                        told.outcomes + otherTold.outcomes == [.fired, .fired]
                    }
                    try await Wait.until("the lamp is on") { house.requests.writes.count == 2 }
                    #expect(house.requests.preparations.count == 1)
                    for hub in [first, second] {
                        try await Wait.until("both know that it is done") {
                            try await hub.hub.store.incompleteFirings().isEmpty
                        }
                    }
                }
            }
        }
    }
}
