/// The recovery of a hub after its simulator was killed.
struct RecoveryFigures {
    /// The time from starting the simulator again until the hub reports all accessories as reachable, in milliseconds.
    var time = Samples()
    /// The hub's processor time from the loss until it is idle, in milliseconds.
    var processorTime = Samples()
    /// The connection attempts in that time, per bridge.
    var attempts = Samples()
}
