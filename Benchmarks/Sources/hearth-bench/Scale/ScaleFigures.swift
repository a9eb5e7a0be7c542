/// What ``ScaleBench`` has measured.
struct ScaleFigures {
    /// From the order to start the simulator until all bridges were advertised, in milliseconds.
    var simulatorStart = Samples()
    /// The simulator's memory with all paired, in megabytes.
    var simulatorMemory = Samples()
    /// The addition of one bridge, in milliseconds.
    var pairing = Samples()
    /// The addition of all, in milliseconds.
    var pairingOfAll = Samples()
    /// The hub's memory with all reachable, in megabytes.
    var hubMemory = Samples()
    /// The same after the hub has lost all and found them again.
    var hubMemoryAfterLoss = Samples()
    /// From the order to start the hub until it had shown all accessories as reachable, in milliseconds.
    var hubRestart = Samples()
    /// The hub's processor time for that, in milliseconds.
    var hubRestartTime = Samples()
    /// After a simulator that was started again as soon as it was gone.
    var restart = RecoveryFigures()
    /// After one that stayed away for a while.
    var absence = RecoveryFigures()
}
