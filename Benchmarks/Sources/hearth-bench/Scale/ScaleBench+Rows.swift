extension ScaleBench {
    /// The results.
    var rows: [Row] {
        let all = "\(bridges) bridges with \(effort.lamps) lamps"
        return [
            Row(what: "simulator with \(all): start", unit: "ms", goal: .low, ours: figures.simulatorStart),
            Row(what: "… memory (RSS), paired", unit: "MB", goal: .low, ours: figures.simulatorMemory),
            Row(what: "hub: adding one bridge", unit: "ms", goal: .low, ours: figures.pairing),
            Row(what: "… adding all, until all are reachable", unit: "ms", goal: .low, ours: figures.pairingOfAll),
            Row(what: "… memory with all (RSS)", unit: "MB", goal: .low, ours: figures.hubMemory),
            Row(what: "… restarted, until all are reachable", unit: "ms", goal: .low, ours: figures.hubRestart),
            Row(what: "… CPU until then", unit: "ms", goal: .low, ours: figures.hubRestartTime),
        ]
            + rows(of: figures.restart, "simulator killed and started again", attempts: 4)
            + rows(of: figures.absence, "… \(effort.absence.components.seconds) s later", attempts: 8)
            + [Row(what: "… the hub's memory (RSS)", unit: "MB", goal: .low, ours: figures.hubMemoryAfterLoss)]
    }

    private func rows(of recovery: RecoveryFigures, _ what: String, attempts limit: Double) -> [Row] {
        [
            Row(what: "\(what): until all are reachable", unit: "ms", goal: .low, ours: recovery.time),
            Row(what: "… the hub's CPU since the loss", unit: "ms", goal: .low, ours: recovery.processorTime),
            Row(
                what: "… connection attempts per bridge",
                unit: "",
                goal: .atMost(limit),
                ours: recovery.attempts
            ),
        ]
    }
}
