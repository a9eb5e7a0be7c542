/// What was measured of one server, a sample for each round unless it says otherwise.
struct ServerFigures {
    /// Processor time of one request on a quiet connection, in microseconds.
    var read = Samples()
    var write = Samples()
    /// The same after many connections came and went.
    var writeAfterVisitors = Samples()
    /// Requests a second over several connections.
    var throughput = Samples()
    /// Processor time of `GET /accessories` in milliseconds, with nothing changed since the last one, and with one value
    /// changed before each.
    var accessories = Samples()
    var accessoriesAfterChange = Samples()
    /// Processor time in microseconds of pair-verify alone, and with its connection being made and closed.
    var verify = Samples()
    var verifiedConnection = Samples()
    /// Processor time in milliseconds; a sample for each pair-setup. The first one of a process makes the verifier.
    var firstSetup = Samples()
    var setup = Samples()
    /// From sending a write to receiving its event in milliseconds; a sample for each event and subscriber.
    var event = Samples()
    /// From starting the process to its first answer in milliseconds, in a new folder and in one that it knows.
    var firstStart = Samples()
    var start = Samples()
    /// In megabytes: once it is ready, and what was added since by everything above.
    var memory = Samples()
    var memoryGrowth = Samples()
    var proportionalMemory = Samples()
}
