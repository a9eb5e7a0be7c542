/// How far the counters of multicast DNS messages have come. They are read at whiles, maybe by several at a time, and never
/// fall.
struct ReportedMessageCounts {
    private struct Series: Hashable {
        var interface: String
        var direction: String
    }

    private var counts: [Series: Int] = [:]

    /// Takes a total that was read.
    ///
    /// - Returns: By how much it is beyond the greatest that was taken; 0 or more.
    mutating func take(_ total: Int, _ direction: String, on interface: String) -> Int {
        let series = Series(interface: interface, direction: direction)
        let more = max(0, total - counts[series, default: 0])
        counts[series, default: 0] += more
        return more
    }
}
