@testable import AccessorySimulator

extension FuzzTarget {
    /// Scenario files: an accepted scenario is ordered by time, and the error for a rejected file has a location. The
    /// accessories are always the same, without reading files.
    static let scenarios = FuzzTarget("scenarios", maximumLength: 2_048) { input throws(Violation) in
        let scenario: Scenario
        do throws(SimulatorError) {
            scenario = try Scenario(parsing: input, source: "scenario.json", folder: "/", hosting: stage)
        } catch {
            try hold(error.code == .invalidFile, "a rejected file is an invalid file")
            try hold(error.reason.hasPrefix("scenario.json"), "the file is named")
            return false
        }
        let day = Duration.seconds(24 * 60 * 60)
        var last = Duration.zero
        for step in scenario.steps {
            try hold(last <= step.time && step.time <= day, "steps are in the order of time")
            last = step.time
            try hold((1...(1 + input.count { $0 == UInt8(ascii: "\n") })).contains(step.line), "a step has its line")
        }
        try hold(scenario.lastTime >= last, "a scenario lasts until its last step")
        try hold(
            !scenario.apps.isEmpty && Set(scenario.apps).count == scenario.apps.count,
            "apps have names of their own"
        )
        return true
    }

    private static let accessories = ["garage-door", "lightbulb", "button"].compactMap {
        try? AccessoryLibrary.accessory($0)
    }

    private static func stage(_ files: [String]) throws(SimulatorError) -> Simulator {
        try Simulator(SimulatorConfiguration(accessories: accessories, dataFolder: ""))
    }
}
