/// What was measured of a hub.
struct HomeFigures {
    var start = Samples()
    var memory = Samples()
    var reset = Samples()
    var resetSize = Samples()
    var appLoad = Samples()
    var fanOut = Samples()
    var fanOutFromRequest = Samples()
    var broadcast = Samples()
    /// Processor time of the hub for a change, by the number of accessories in the home.
    var change: [Int: Samples] = [:]
    var changeAfterHistory = Samples()
    /// The store's bytes for each of many changes.
    var bytesPerChange = Samples()
    var storeSize = Samples()
}
