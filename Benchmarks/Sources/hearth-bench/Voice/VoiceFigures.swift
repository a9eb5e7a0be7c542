/// The measurements of ``VoiceBench``, in milliseconds.
struct VoiceFigures {
    /// A sentence, in a home of the usual and of the large size.
    var usual = Samples()
    var large = Samples()
    /// The first sentence of each language.
    var first = Samples()
    var hassil = Samples()
    var hassilFirst = Samples()
}

extension VoiceBench {
    /// The results, with the goals.
    var rows: [Row] {
        let (usual, large) = (effort.homes.usual, effort.homes.large)
        var rows = [
            Row(
                what: "sentence in a home of \(usual) accessories",
                unit: "ms",
                goal: .atMost(0.2),
                ours: figures.usual
            ),
            Row(what: "… p99", unit: "ms", goal: .atMost(1), ours: Samples(values: [figures.usual.percentile(99)])),
            Row(
                what: "… in a home of \(large) accessories, as a multiple",
                unit: "",
                goal: .atMost(2),
                ours: Samples(values: [figures.large.median / figures.usual.median])
            ),
            Row(what: "first sentence of a language", unit: "ms", goal: .atMost(20), ours: figures.first),
        ]
        if figures.hassil.count > 0 {
            rows += [
                Row(what: "hassil, English: sentence", unit: "ms", goal: .low, ours: figures.hassil),
                Row(what: "… p99", unit: "ms", goal: .low, ours: Samples(values: [figures.hassil.percentile(99)])),
                Row(what: "… first sentence", unit: "ms", goal: .low, ours: figures.hassilFirst),
            ]
        }
        return rows
    }
}
