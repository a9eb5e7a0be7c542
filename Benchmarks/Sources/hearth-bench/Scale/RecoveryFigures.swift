/// How a hub found all again after its simulator was killed.
struct RecoveryFigures {
    /// From the order to start the simulator again until the hub had shown all as reachable, in milliseconds.
    var time = Samples()
    /// The hub's processor time from the loss until it had nothing more to do, in milliseconds.
    var processorTime = Samples()
    /// Tries to connect in that time, for each bridge.
    var attempts = Samples()
}
