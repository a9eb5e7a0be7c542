extension HomeBench {
    /// What was measured, with the goals.
    var rows: [Row] {
        let smallest = effort.homes.dropFirst().first ?? effort.homes[0]
        let largest = effort.homes[effort.homes.count - 1]
        let ratio = zip(
            figures.change[largest]?.values ?? [],
            figures.change[smallest]?.values ?? []
        ).map { $0 / $1 }
        let fanOut = figures.fanOut.percentile(99) / figures.broadcast.percentile(99)
        let accessories = "\(effort.richAccessories) accessories × 5 services × 5 characteristics"
        return [
            Row(what: "hub with \(accessories): start", unit: "ms", goal: .atMost(1_000), ours: figures.start),
            Row(what: "… memory (RSS)", unit: "MB", goal: .atMost(150), ours: figures.memory),
            Row(what: "… connect to whole home, on the socket", unit: "ms", goal: .atMost(150), ours: figures.reset),
            Row(what: "… connect to whole home, in an app", unit: "ms", goal: .atMost(150), ours: figures.appLoad),
            Row(what: "… size of the whole home", unit: "MB", goal: .low, ours: figures.resetSize),
            Row(
                what: "entry to \(Self.listeners) others, after its author",
                unit: "ms",
                goal: .low,
                ours: figures.fanOut
            ),
            Row(what: "… from the request, the disk included", unit: "ms", goal: .low, ours: figures.fanOutFromRequest),
            Row(what: "… a packet that a bare server sends on", unit: "ms", goal: .low, ours: figures.broadcast),
            Row(
                what: "… p99 as a multiple of that",
                unit: "",
                goal: .atMost(3),
                ours: Samples(values: [fanOut])
            ),
        ]
            + effort.homes.map { count in
                Row(
                    what: "change in a home of \(count) accessories, CPU",
                    unit: "µs",
                    goal: .low,
                    ours: figures.change[count] ?? Samples()
                )
            } + [
                Row(
                    what: "… \(largest) as a multiple of \(smallest)",
                    unit: "",
                    goal: .atMost(2),
                    ours: Samples(values: ratio)
                ),
                Row(
                    what: "… after \(effort.history) changes",
                    unit: "µs",
                    goal: .low,
                    ours: figures.changeAfterHistory
                ),
                Row(what: "store after \(effort.history) changes", unit: "MB", goal: .low, ours: figures.storeSize),
                Row(what: "… for each change", unit: "bytes", goal: .low, ours: figures.bytesPerChange),
            ]
    }
}
