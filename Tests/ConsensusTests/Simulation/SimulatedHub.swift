import Consensus
import Foundation

/// A hub with its disk.
struct SimulatedHub {
    let id: UUID
    // What is on the disk.
    var record = VoterRecord()
    var log = BatchLog()
    var applied = 0
    var machine = SimulatedMachine()

    // What is lost when the hub stops.
    var voter: HubVoter?
    var claims: FiringClaims
    /// Counts the starts, so that nothing of an earlier process goes on.
    var life = 0
    var receivedBase: SimulatedMachine?
    /// When the next tick is due, and which of the scheduled ones that is.
    var tick: Duration?
    var tickNumber = 0

    /// The events of a process that is stopped, which it gets when it goes on.
    var mailbox: [Simulation.Event] = []
    var isStopped = false
    /// Whether the hub fails while it carries out effects next.
    var failsSoon = false
    /// The difference between its running clock and the simulation's. Clocks at home are wrong.
    var clock: Duration
    /// The difference between its calendar and the true one.
    var calendar: Duration

    init(id: UUID, clock: Duration, calendar: Duration) {
        self.id = id
        self.clock = clock
        self.calendar = calendar
        claims = FiringClaims(hub: id)
    }

    mutating func start(other: UUID, seed: UInt64, now: Duration) {
        life += 1
        tick = nil
        receivedBase = nil
        failsSoon = false
        claims = FiringClaims(hub: id)
        voter = HubVoter(
            pair: HubPair(own: id, other: other),
            record: record,
            log: log,
            applied: applied,
            seed: seed,
            now: now + clock
        )
    }
}
