/// What was measured of a hub.
struct HomeFigures {
    var start = Samples()
    var memory = Samples()
    var reset = Samples()
    var resetSize = Samples()
    var appLoad = Samples()
    var appMemory = Samples()
    /// From the order to start a hub until all apps have all notifications on again; and the processor time of each app.
    var restart = Samples()
    var restartAppTime = Samples()
    /// The hub's processor time and the busiest app's when all accessories go at once, for each; and the hub's until all apps
    /// have them again.
    var outage = Samples()
    var recovery = Samples()
    /// From a bare client's having a value until the app's delegate has it.
    var delegateCall = Samples()
    /// There and back between processes that do nothing else.
    var echo = Samples()
    /// Of 1,000 reads, for each of 50 accessories.
    var wireRequests = Samples()
    var reads = Samples()
    var fanOut = Samples()
    var fanOutFromRequest = Samples()
    var broadcast = Samples()
    /// Processor time of the hub for a change, by the number of accessories in the home.
    var change: [Int: Samples] = [:]
    /// Appends to the store, and bare commits of the same bytes, in microseconds; and the one as a multiple of the other.
    var append = Samples()
    var bareCommit = Samples()
    var appendRatio = Samples()
    var changeAfterHistory = Samples()
    /// The store's bytes for each of many changes.
    var bytesPerChange = Samples()
    var storeSize = Samples()
}
