/// The measurements of ``AirPlayBench``.
struct AirPlayFigures {
    /// The processor time of a sender and a receiver, in percent of a core.
    var sending = Samples()
    var sendingToSeveral = Samples()
    var receiving = Samples()
    var shairport = Samples()
    /// How many times as fast as real time noise is decoded.
    var decoding = Samples()
    var ffmpegDecoding = Samples()
    /// How far apart receivers in step would play a frame by their sync packets, in milliseconds.
    var spread = Samples()
    /// The time from the start of the command until the receiver plays, in milliseconds.
    var start = Samples()
    /// The same with the search for the receiver.
    var startWithSearch = Samples()
}

extension AirPlayBench {
    /// The results.
    var rows: [Row] {
        [
            Row(what: "AirPlay: sending a stream", unit: "% of a core", goal: .atMost(1), ours: figures.sending),
            Row(
                what: "… to \(effort.receivers) receivers in step",
                unit: "% of a core",
                goal: .low,
                ours: figures.sendingToSeveral
            ),
            Row(
                what: "… how far apart they are, by their sync packets",
                unit: "ms",
                goal: .atMost(2),
                ours: figures.spread
            ),
            Row(what: "… receiving a stream", unit: "% of a core", goal: .atMost(1.5), ours: figures.receiving),
            Row(what: "shairport-sync: receiving it", unit: "% of a core", goal: .low, ours: figures.shairport),
            Row(
                what: "Apple Lossless: decoding noise",
                unit: "× real time",
                goal: .atLeast(200),
                ours: figures.decoding
            ),
            Row(what: "FFmpeg: decoding it", unit: "× real time", goal: .high, ours: figures.ffmpegDecoding),
            Row(
                what: "from the start of “hearth airplay play” to playing on a known receiver",
                unit: "ms",
                goal: .atMost(300),
                ours: figures.start
            ),
            Row(
                what: "… on one that has just started, with the search for it",
                unit: "ms",
                goal: .low,
                ours: figures.startWithSearch
            ),
        ]
    }
}
