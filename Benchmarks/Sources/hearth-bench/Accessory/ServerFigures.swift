/// The results of one server. Each has a sample per round, unless noted.
struct ServerFigures {
    /// The processor time of one request on an otherwise idle connection, in microseconds.
    var read = Samples()
    var readOfMany = Samples()
    var write = Samples()
    /// The same, after many connections opened and closed.
    var writeAfterVisitors = Samples()
    /// The requests per second over several connections.
    var throughput = Samples()
    /// The processor time of `GET /accessories` in milliseconds: with no change since the previous one, and with one
    /// changed value before each.
    var accessories = Samples()
    var accessoriesAfterChange = Samples()
    /// The processor time of pair verify in microseconds: alone, and including opening and closing its connection.
    var verify = Samples()
    var verifiedConnection = Samples()
    /// The processor time of each pair setup in milliseconds. The first one of a process computes the verifier.
    var firstSetup = Samples()
    var setup = Samples()
    /// The time from sending a write to receiving its event, in milliseconds. A sample per event and subscriber.
    var event = Samples()
    /// The time from starting the process to its first response, in milliseconds: in a new folder, and in a used one.
    var firstStart = Samples()
    var start = Samples()
    /// The memory in megabytes: when ready, and the growth during all of the above.
    var memory = Samples()
    var memoryGrowth = Samples()
    var proportionalMemory = Samples()
}
