extension AccessoryBench {
    /// The results, with the goals and the published figures of HomeKitADK, Apple's reference kit in C.
    var rows: [Row] {
        guard let ours = figures[.hearth], let theirs = figures[.hapPython] else { return [] }
        func row(
            _ what: String,
            _ unit: String,
            _ goal: Goal,
            kit: String = "",
            _ samples: KeyPath<ServerFigures, Samples>
        ) -> Row {
            Row(
                what: what,
                unit: unit,
                goal: goal,
                kit: kit,
                theirs: theirs[keyPath: samples],
                ours: ours[keyPath: samples]
            )
        }
        /// Hearth's result as a multiple of HAP-python's, per round.
        func ratio(_ goal: Goal, _ samples: KeyPath<ServerFigures, Samples>) -> Row {
            let ratios = zip(ours[keyPath: samples].values, theirs[keyPath: samples].values).map { $0 / $1 }
            return Row(what: "… as a multiple of HAP-python's", unit: "", goal: goal, ours: Samples(values: ratios))
        }
        func multiples(_ samples: Samples, of floor: Samples) -> Samples {
            Samples(values: zip(samples.values, floor.values).map { $0 / $1 })
        }
        /// Hearth's result as a multiple of the floor's, per round.
        func multiple(of floor: Samples, _ samples: KeyPath<ServerFigures, Samples>) -> Row {
            Row(
                what: "… as a multiple of the floor",
                unit: "",
                goal: .atMost(1.5),
                ours: multiples(ours[keyPath: samples], of: floor)
            )
        }
        // As multiples of the floor, because the processor isn't as fast as it was in the rounds before.
        let before = multiples(ours.write, of: writeFloor).median
        let after = multiples(ours.writeAfterVisitors, of: writeFloorAfterVisitors).values.map { $0 / before }
        return [
            row("GET one characteristic, CPU", "µs", .atMost(20), kit: "16–31", \.read),
            ratio(.atMost(0.12), \.read),
            multiple(of: readFloor, \.read),
            Row(what: "… the floor: its system calls and cipher", unit: "µs", goal: .low, ours: readFloor),
            row("GET \(Effort.manyCharacteristics) characteristics, CPU", "µs", .low, \.readOfMany),
            ratio(.atMost(0.15), \.readOfMany),
            row("PUT one characteristic, CPU", "µs", .atMost(20), kit: "17–18", \.write),
            ratio(.atMost(0.12), \.write),
            multiple(of: writeFloor, \.write),
            Row(what: "… the floor: its system calls and cipher", unit: "µs", goal: .low, ours: writeFloor),
            row("… after \(effort.visitors) connections", "µs", .atMost(20), \.writeAfterVisitors),
            Row(what: "… as a multiple of before", unit: "", goal: .atMost(1.1), ours: Samples(values: after)),
            row("GET, \(Effort.parallelConnections) connections", "1/s", .high, kit: "40–50 k", \.throughput),
            ratio(.atLeast(4), \.throughput),
            Row(what: "… of an echo server", unit: "1/s", goal: .high, ours: echo),
            row("/accessories unchanged, CPU", "ms", .atMost(0.5), kit: "2.4–2.9", \.accessories),
            ratio(.atMost(0.3), \.accessories),
            row("… after each change of a value", "ms", .atMost(0.5), \.accessoriesAfterChange),
            row("pair-verify, CPU", "µs", .atMost(300), kit: "324–381", \.verify),
            ratio(.atMost(0.3), \.verify),
            row("… including its connection", "µs", .low, \.verifiedConnection),
            row("pair-setup, CPU", "ms", .atMost(5), kit: "3.0", \.setup),
            ratio(.atMost(0.12), \.setup),
            row("… the first, with the verifier", "ms", .atMost(5), \.firstSetup),
            row("event to \(Effort.parallelConnections) after idle", "ms", .atMost(0.4), kit: "0.4", \.event),
            row("start to first response", "ms", .atMost(30), kit: "4.9", \.start),
            ratio(.atMost(0.2), \.start),
            row("… in a new folder", "ms", .atMost(30), \.firstStart),
            ratio(.atMost(0.2), \.firstStart),
            row("memory when ready (RSS)", "MB", .atMost(24), kit: "8", \.memory),
            row("… shared pages divided (PSS)", "MB", .low, \.proportionalMemory),
            row("… growth under all this", "MB", .atMost(2), \.memoryGrowth),
        ]
    }
}
