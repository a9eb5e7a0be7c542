package import AccessoryCheck

/// What came of a run.
package struct ControllerCheckSummary: Sendable {
    /// Why a run ended early.
    package enum Problem: Error, Hashable, Sendable {
        /// The accessory couldn't listen, or be advertised.
        case notServed(String)
        /// The command that drives the controller couldn't be run.
        case notDriven(String)
        /// Somebody ended the run.
        case canceled

        /// The code for scripts.
        package var code: String {
            switch self {
            case .notServed: "notServed"
            case .notDriven: "notDriven"
            case .canceled: "canceled"
            }
        }

        /// The problem in a sentence.
        package var reason: String {
            switch self {
            case .notServed(let detail): "The accessory can't be started: \(detail)"
            case .notDriven(let detail): "The command can't be run: \(detail)"
            case .canceled: "The run was ended."
            }
        }
    }

    /// The results, in the order of the scenarios and checks.
    package internal(set) var results: [CheckResult] = []
    /// Why the run ended early, if it did.
    package internal(set) var problem: Problem?
    /// The number of scenarios to which the controller came.
    package internal(set) var visits = 0

    /// Returns the number of results that fail the run.
    package func failureCount(isStrict: Bool) -> Int {
        results.count { $0.isFailure(isStrict: isStrict) }
    }
}
