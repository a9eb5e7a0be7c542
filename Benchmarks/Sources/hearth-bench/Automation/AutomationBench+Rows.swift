extension AutomationBench {
    /// The results, with the goals.
    var rows: [Row] { triggerRows + valueRows + sceneRows + journalRows }

    private var triggerRows: [Row] {
        let (smallest, largest) = (effort.triggers.first ?? 0, effort.triggers.last ?? 0)
        let ratio = zip(
            figures.firing[largest]?.values ?? [],
            figures.firing[smallest]?.values ?? []
        ).map { $0 / $1 }
        return [
            Row(what: "hub with \(largest) enabled triggers: start", unit: "ms", goal: .low, ours: figures.start),
            Row(what: "… memory (RSS)", unit: "MB", goal: .low, ours: figures.memory),
            Row(what: "… idle, CPU", unit: "% of a core", goal: .atMost(0.2), ours: figures.idle),
            Row(what: "… idle without triggers", unit: "% of a core", goal: .low, ours: figures.idleWithoutTriggers),
        ]
            + effort.triggers.map { count in
                Row(
                    what: "firing with \(count) triggers, with a scene, CPU",
                    unit: "µs",
                    goal: .low,
                    ours: figures.firing[count] ?? Samples()
                )
            } + [
                Row(
                    what: "… \(largest) as a multiple of \(smallest)",
                    unit: "",
                    goal: .atMost(2),
                    ours: Samples(values: ratio)
                )
            ]
    }

    private var valueRows: [Row] {
        [
            Row(what: "sensor's event until a lamp has the write", unit: "ms", goal: .low, ours: figures.reaction),
            percentile("… p99", figures.reaction),
            percentile("… the simulator's own report of a value, p99", figures.simulator),
            percentile("… a bare echo, there and back, p99", figures.echo),
            percentile("… a bare SQLite commit, p99", figures.bareCommit),
            Row(
                what: "write of a value that \(Self.triggersPerHome) triggers watch, CPU",
                unit: "µs",
                goal: .low,
                ours: figures.watchedWrite
            ),
            Row(what: "… that none watches", unit: "µs", goal: .low, ours: figures.unwatchedWrite),
            Row(what: "… the difference, per round", unit: "µs", goal: .atMost(50), ours: figures.dispatch),
            Row(
                what: "… the difference if all have a condition that is false",
                unit: "µs",
                goal: .atMost(50),
                ours: figures.evaluation
            ),
            Row(
                what: "… with entries in the journal, at most once a minute",
                unit: "µs",
                goal: .low,
                ours: figures.recordedEvaluation
            ),
        ]
    }

    private var sceneRows: [Row] {
        [
            Row(
                what: "scene of \(Self.lamps) lamps behind a bridge, requests",
                unit: "",
                goal: .atMost(1),
                ours: figures.requests
            ),
            Row(what: "… until all are complete", unit: "ms", goal: .low, ours: figures.scene),
            Row(what: "… a bare PUT of the same values", unit: "ms", goal: .low, ours: figures.barePut),
            Row(what: "… as a multiple of that", unit: "", goal: .atMost(2), ours: figures.sceneRatio),
        ]
    }

    private var journalRows: [Row] {
        [
            Row(what: "write that the journal records, CPU", unit: "µs", goal: .low, ours: figures.recordedWrite),
            Row(what: "… that it doesn't record", unit: "µs", goal: .low, ours: figures.unrecordedWrite),
            Row(what: "… the difference, per round", unit: "%", goal: .atMost(10), ours: figures.journalShare),
            Row(what: "… if each is written alone", unit: "µs", goal: .low, ours: figures.recordAlone),
            Row(
                what: "hub with \(effort.entries) journal entries: start",
                unit: "ms",
                goal: .low,
                ours: figures.startWithJournal
            ),
            Row(what: "… size of the journal", unit: "MB", goal: .low, ours: figures.journalSize),
            Row(what: "… why a lamp changed", unit: "ms", goal: .atMost(5), ours: figures.explanation),
            percentile("… p99", figures.explanation),
        ]
    }

    private func percentile(_ what: String, _ samples: Samples) -> Row {
        Row(what: what, unit: "ms", goal: .low, ours: Samples(values: [samples.percentile(99)]))
    }
}
