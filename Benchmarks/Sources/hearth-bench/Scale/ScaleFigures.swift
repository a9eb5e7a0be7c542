/// The results of ``ScaleBench``.
struct ScaleFigures {
    /// The time from starting the simulator until all bridges are advertised, in milliseconds.
    var simulatorStart = Samples()
    /// The simulator's memory when all bridges are paired, in megabytes.
    var simulatorMemory = Samples()
    /// The time to add one bridge, in milliseconds.
    var pairing = Samples()
    /// The time to add all bridges, in milliseconds.
    var pairingOfAll = Samples()
    /// The hub's memory when all accessories are reachable, in megabytes.
    var hubMemory = Samples()
    /// The same, after the hub lost and recovered all accessories.
    var hubMemoryAfterLoss = Samples()
    /// The time from starting the hub until it reports all accessories as reachable, in milliseconds.
    var hubRestart = Samples()
    /// The hub's processor time for that, in milliseconds.
    var hubRestartTime = Samples()
    /// The recovery after an immediate restart of the simulator.
    var restart = RecoveryFigures()
    /// The recovery after the simulator was stopped for a while.
    var absence = RecoveryFigures()
}
