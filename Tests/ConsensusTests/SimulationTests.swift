import Consensus
import Foundation
import Testing

@Suite struct SimulationTests {
    /// Whether the runs are long: a million steps each, and a year.
    static let reports = ProcessInfo.processInfo.environment["HEARTH_LONG_SIMULATION"] != nil
    static let steps = reports ? 1_000_000 : 4_000
    static let takeovers = reports ? 1_000 : 20

    static let days = reports ? 365 : 2

    /// Prints figures of a long run.
    private func report(_ simulation: Simulation) {
        guard Self.reports else { return }
        let unfired = simulation.dueTimes.count - simulation.written.count
        print(
            "seed \(simulation.seed): \(simulation.steps) steps, \(simulation.now), \(simulation.leaders.count) terms with a leader,",
            "\(simulation.acknowledgedCount) changes, \(simulation.dueTimes.count) due times, \(unfired) not carried out,",
            "\(simulation.counts)"
        )
    }

    private func run(_ seed: UInt64, _ faults: SimulatedFaults, steps: Int = steps) -> Simulation {
        var simulation = Simulation(seed: seed, faults: faults)
        simulation.run(steps: steps)
        simulation.settle()
        report(simulation)
        return simulation
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `nothing is lost or done twice, whatever fails`(seed: UInt64) {
        let simulation = run(seed, .everything)
        #expect(simulation.violations == [])
        #expect(simulation.acknowledgedCount > 50 && simulation.leaders.count > 3 && simulation.written.count > 3)
    }

    @Test func `nothing is lost or done twice while each link is down a third of the time`() {
        var faults = SimulatedFaults.everything
        (faults.crashes, faults.pauses) = (nil, nil)
        faults.links = [.all, .hubs, .first, .second, .relay, .firstAlone, .none]
        faults.linkTime = 5
        let simulation = run(4, faults)
        #expect(simulation.violations == [])
        #expect(simulation.leaders.count > 3)
    }

    @Test func `nothing is lost or done twice without internet`() {
        var faults = SimulatedFaults.everything
        faults.links = [.hubs]
        faults.links.append(.hubs)
        (faults.off, faults.pause) = (10_000, 10_000)
        let simulation = run(7, faults)
        #expect(simulation.violations == [])
        #expect(simulation.acknowledgedCount > 50 && simulation.leaders.count > 3)
    }

    @Test func `voters that lack more than is kept get a base`() {
        var simulation = Simulation(seed: 6, faults: .none)
        simulation.run(until: .seconds(10))
        simulation.faults.changes = 4
        simulation.fail(1, for: .seconds(20))
        simulation.run(until: .seconds(30))
        #expect(simulation.acknowledged > ConsensusLimits.relayBatches && simulation.counts.relayBases > 0)
        simulation.settle()
        #expect(simulation.counts.bases > 0)
        #expect(simulation.violations == [])
    }

    @Test func `a hub that was off gets all it lacks from the relay, and leads, when the other one fails`() {
        for (changes, hasBase) in [(100, false), (4, true)] {
            var simulation = Simulation(seed: 10, faults: .none)
            simulation.run(until: .seconds(10))
            simulation.faults.changes = changes
            simulation.fail(1, for: .seconds(20))
            simulation.run(until: .seconds(30) - .milliseconds(1))
            simulation.faults.changes = 1_000
            let acknowledged = simulation.acknowledged
            simulation.fail(0, for: .seconds(1_000))
            simulation.run(until: .seconds(45))
            #expect(acknowledged > 100)
            #expect(simulation.hubs[1].voter?.mayPropose == true)
            #expect(simulation.hubs[1].applied >= acknowledged)
            #expect(simulation.counts.fetches > 0 && (simulation.counts.fetchedBases > 0) == hasBase)
            simulation.settle()
            #expect(simulation.violations == [])
        }
    }

    @Test(arguments: [SimulatedLinks.first, .second, .hubs])
    func `any two of the three go on, whatever has failed before`(left: SimulatedLinks) {
        for seed in 1...UInt64(Self.takeovers) {
            var simulation = Simulation(seed: 2_000 + seed, faults: .everything)
            simulation.run(steps: Int(200 + seed * 379 % 4_000))
            simulation.goOn(left)
            #expect(simulation.violations == [])
        }
    }

    @Test(arguments: [7, 8] as [UInt64])
    func `a relay that lies changes nothing while the hubs reach each other`(seed: UInt64) {
        let faults = SimulatedFaults(doubling: 0.1, delay: 300, relayRestarts: 60, relayLies: true)
        let simulation = run(seed, faults)
        #expect(simulation.violations == [])
        #expect(simulation.acknowledgedCount > 50)
    }

    @Test func `everything due is done while nothing fails, and one hub leads`() {
        let simulation = run(9, .none)
        #expect(simulation.violations == [])
        #expect(simulation.leaders.count == 1)
        #expect(simulation.written.count >= simulation.dueTimes.count - 2)
    }

    @Test func `a long time with few failures loses nothing and does nothing twice`() {
        var faults = SimulatedFaults(
            delay: 50,
            crashes: 4 * 86_400,
            off: 600_000,
            pauses: 7 * 86_400,
            relayRestarts: 86_400,
            links: [.all, .all, .all, .all, .all, .hubs, .firstAlone, .relay],
            linkTime: 43_200,
            isBursty: false,
            changes: 3_600_000,
            dueTimes: 3_600_000
        )
        faults.loss = 0.0001
        var simulation = Simulation(seed: 11, faults: faults)
        simulation.skipsQuiet = true
        simulation.run(until: .seconds(86_400 * Self.days))
        simulation.settle()
        report(simulation)
        #expect(simulation.violations == [])
    }

    @Test func `another hub leads a few seconds after the leader fails`() {
        var times: [Duration] = []
        for seed in 1...UInt64(Self.takeovers) {
            var simulation = Simulation(seed: 1_000 + seed, faults: .none)
            simulation.run(until: .seconds(10) + .milliseconds(Int(seed * 37 % 5_000)))
            let leader = simulation.hubs.firstIndex { $0.voter?.mayPropose == true }!
            simulation.fail(leader, for: .seconds(60))
            simulation.run(until: simulation.now + .seconds(20))
            times += simulation.takeovers
            #expect(simulation.violations == [])
        }
        times.sort()
        #expect(times.count == Self.takeovers)
        // These are times of the simulation, which don't depend on the machine.
        #expect(times[times.count * 9 / 10] <= .seconds(6))
        guard Self.reports else { return }
        print("takeover: median \(times[times.count / 2]), p90 \(times[times.count * 9 / 10]), worst \(times.last!)")
    }
}
