/// The measurements of ``AirPlayBench``.
struct AirPlayFigures {
    /// The processor time of a sender and a receiver, in percent of a core.
    var sending = Samples()
    var sendingToSeveral = Samples()
    var receiving = Samples()
    var shairport = Samples()
    /// The time from the start of the command until the receiver that it finds plays, in milliseconds.
    var start = Samples()
}

extension AirPlayBench {
    /// The results.
    var rows: [Row] {
        [
            Row(what: "AirPlay: sending a stream", unit: "% of a core", goal: .low, ours: figures.sending),
            Row(
                what: "… to \(effort.receivers) receivers in step",
                unit: "% of a core",
                goal: .low,
                ours: figures.sendingToSeveral
            ),
            Row(what: "… receiving a stream", unit: "% of a core", goal: .low, ours: figures.receiving),
            Row(what: "shairport-sync: receiving it", unit: "% of a core", goal: .low, ours: figures.shairport),
            Row(
                what: "from the start of “hearth airplay play” to playing on a found receiver",
                unit: "ms",
                goal: .low,
                ours: figures.start
            ),
        ]
    }
}
