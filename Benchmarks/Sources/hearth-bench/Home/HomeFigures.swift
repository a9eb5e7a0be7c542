/// The results of a hub.
struct HomeFigures {
    var start = Samples()
    var memory = Samples()
    var reset = Samples()
    var resetSize = Samples()
    var appLoad = Samples()
    var appMemory = Samples()
    /// The time from starting a hub until all apps have all notifications on again, and each app's processor time.
    var restart = Samples()
    var restartAppTime = Samples()
    /// The processor time of the hub and the busiest app when all accessories disconnect, per accessory; and the hub's
    /// until all apps have them again.
    var outage = Samples()
    var recovery = Samples()
    /// The time from a bare client receiving a value to the app's delegate receiving it.
    var delegateCall = Samples()
    /// The round trip between processes that do nothing else.
    var echo = Samples()
    /// The requests per accessory, for 1,000 reads of 50 accessories.
    var wireRequests = Samples()
    var reads = Samples()
    /// The hub's processor time for a client's write, and for an accessory's event to many clients per client, in
    /// microseconds.
    var write = Samples()
    var valueToClient = Samples()
    var fanOut = Samples()
    var fanOutFromRequest = Samples()
    var broadcast = Samples()
    /// The hub's processor time for a change, by the number of accessories in the home.
    var change: [Int: Samples] = [:]
    /// Appends to the store and bare commits of the same bytes, in microseconds; and the ratio.
    var append = Samples()
    var bareCommit = Samples()
    var appendRatio = Samples()
    var changeAfterHistory = Samples()
    /// The store's bytes per change, over many changes.
    var bytesPerChange = Samples()
    var storeSize = Samples()
}
