/// What goes wrong in a simulation.
struct SimulatedFaults {
    /// The share of messages that get lost.
    var loss = 0.0
    /// The share of messages that come twice.
    var doubling = 0.0
    /// The longest delay of a message, in milliseconds. Later messages overtake earlier ones.
    var delay = 20
    /// The mean time between two failures of a hub, in seconds; `nil` for never.
    var crashes: Int?
    /// The longest time that a hub is off, in milliseconds.
    var off = 60_000
    /// The mean time between two stops of a hub, in seconds.
    var pauses: Int?
    /// The longest stop, in milliseconds.
    var pause = 3_600_000
    /// The mean time between two starts of the relay, in seconds.
    var relayRestarts: Int?
    /// The states of the links, of which each holds for a while.
    var links: [SimulatedLinks] = [.all]
    /// The mean time that a state of the links holds, in seconds.
    var linkTime = 20
    /// Whether faults come in bursts.
    var isBursty = true
    /// Whether the relay votes and acknowledges as it likes.
    var relayLies = false
    /// The mean time between two changes that people make, in milliseconds.
    var changes = 1_000
    /// The mean time between two due times, in milliseconds.
    var dueTimes = 15_000

    static let none = SimulatedFaults()
    static let everything = SimulatedFaults(
        loss: 0.05,
        doubling: 0.05,
        delay: 300,
        crashes: 90,
        pauses: 120,
        relayRestarts: 60,
        links: [.all, .all, .all, .hubs, .first, .second, .relay, .none]
    )
}

/// Which links are up.
struct SimulatedLinks: Hashable {
    var hubToHub: Bool
    var firstToRelay: Bool
    var secondToRelay: Bool

    static let all = SimulatedLinks(hubToHub: true, firstToRelay: true, secondToRelay: true)
    /// No internet.
    static let hubs = SimulatedLinks(hubToHub: true, firstToRelay: false, secondToRelay: false)
    /// The hubs are cut apart, and the relay is in sight of both, one or none.
    static let relay = SimulatedLinks(hubToHub: false, firstToRelay: true, secondToRelay: true)
    static let first = SimulatedLinks(hubToHub: false, firstToRelay: true, secondToRelay: false)
    static let second = SimulatedLinks(hubToHub: false, firstToRelay: false, secondToRelay: true)
    static let none = SimulatedLinks(hubToHub: false, firstToRelay: false, secondToRelay: false)
    /// One hub has no internet.
    static let firstAlone = SimulatedLinks(hubToHub: true, firstToRelay: true, secondToRelay: false)

    func isUp(_ a: Int, _ b: Int) -> Bool {
        switch (min(a, b), max(a, b)) {
        case (0, 1): hubToHub
        case (0, _): firstToRelay
        default: secondToRelay
        }
    }
}
