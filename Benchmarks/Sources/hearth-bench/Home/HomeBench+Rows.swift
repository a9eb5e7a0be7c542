extension HomeBench {
    /// The results, with the goals.
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
            Row(what: "… connect to whole home, in an app", unit: "ms", goal: .atMost(300), ours: figures.appLoad),
            Row(what: "… memory of that app (RSS)", unit: "MB", goal: .atMost(100), ours: figures.appMemory),
            Row(what: "… size of the whole home", unit: "MB", goal: .low, ours: figures.resetSize),
        ] + outageRows + [
            Row(what: "value to a delegate, after a bare client", unit: "ms", goal: .low, ours: figures.delegateCall),
            Row(
                what: "… p99",
                unit: "ms",
                goal: .atMost(1),
                ours: Samples(values: [figures.delegateCall.percentile(99)])
            ),
            Row(
                what: "… a bare echo, there and back, p99",
                unit: "ms",
                goal: .low,
                ours: Samples(values: [figures.echo.percentile(99)])
            ),
            Row(
                what: "\(Self.reads) reads on \(Self.readServers) accessories, requests per accessory",
                unit: "",
                goal: .atMost(2),
                ours: figures.wireRequests
            ),
            Row(what: "… until all are complete", unit: "ms", goal: .low, ours: figures.reads),
        ] + valueRows + [
            Row(
                what: "change to \(Self.listeners) others, after its author",
                unit: "ms",
                goal: .low,
                ours: figures.fanOut
            ),
            Row(what: "… from the request, with the disk", unit: "ms", goal: .low, ours: figures.fanOutFromRequest),
            Row(what: "… a bare server forwarding a packet", unit: "ms", goal: .low, ours: figures.broadcast),
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
                Row(what: "append to the store", unit: "µs", goal: .low, ours: figures.append),
                Row(what: "… a bare SQLite commit of the same bytes", unit: "µs", goal: .low, ours: figures.bareCommit),
                Row(what: "… as a multiple of that", unit: "", goal: .atMost(1.2), ours: figures.appendRatio),
                Row(what: "store after \(effort.history) changes", unit: "MB", goal: .low, ours: figures.storeSize),
                Row(what: "… per change", unit: "bytes", goal: .low, ours: figures.bytesPerChange),
            ]
    }

    /// The results of values, with the goals.
    var valueRows: [Row] {
        [
            Row(what: "an app's write, CPU", unit: "µs", goal: .atMost(150), ours: figures.write),
            Row(
                what: "an accessory's value to \(Self.listeners) apps, CPU for each",
                unit: "µs",
                goal: .atMost(20),
                ours: figures.valueToClient
            ),
        ]
    }

    /// The results of restarts and outages, with the goals.
    var outageRows: [Row] {
        [
            Row(
                what: "hub restarts, until \(Self.subscribers) apps have all notifications on",
                unit: "ms",
                goal: .atMost(2_000),
                ours: figures.restart
            ),
            Row(what: "… CPU of an app", unit: "ms", goal: .atMost(50), ours: figures.restartAppTime),
            Row(
                what: "all accessories disconnect, CPU of hub and app per accessory",
                unit: "ms",
                goal: .atMost(1),
                ours: figures.outage
            ),
            Row(what: "… and reconnect, CPU of the hub for each", unit: "ms", goal: .atMost(1), ours: figures.recovery),
        ]
    }
}
