/// The counts of multicast DNS messages that were reported. Counters never decrease.
struct ReportedMessageCounts {
    private struct Series: Hashable {
        var interface: String
        var direction: String
    }

    private var counts: [Series: Int] = [:]

    /// Records a total.
    ///
    /// - Returns: The increase since the greatest recorded total, 0 or more.
    mutating func add(_ total: Int, _ direction: String, on interface: String) -> Int {
        let series = Series(interface: interface, direction: direction)
        let more = max(0, total - counts[series, default: 0])
        counts[series, default: 0] += more
        return more
    }
}
