import AccessoryCheck

extension Scenario {
    /// All scenarios, in the order in which they run.
    package static let all: [Scenario] = lenient + discovery + database + setup + verify + session

    /// Returns the scenario with a name.
    package static func with(name: String) -> Scenario? {
        all.first { $0.name == name }
    }
}

extension ControllerCheck {
    /// All checks, in the order of the scenarios.
    package static let all: [ControllerCheck] = Scenario.all.flatMap(\.checks) + [alive]

    /// That the controller's program survives all scenarios.
    package static let alive = ControllerCheck(
        "program.alive",
        .security,
        "Nothing that an accessory sends ends the controller's program by a signal.",
        "RFC 9112, 2.2"
    ) { _ in }

    /// Returns the result of ``alive``.
    static func alive(deaths: [String], isDriven: Bool) -> CheckResult {
        guard isDriven else {
            return CheckResult(id: alive.id, outcome: .notApplicable("No command was run that the controller visited."))
        }
        return CheckResult(
            id: alive.id,
            outcome: deaths.isEmpty ? .passed : .failed(deaths.joined(separator: ", "))
        )
    }

    /// Returns the check with an ID.
    package static func with(id: String) -> ControllerCheck? {
        all.first { $0.id == id }
    }

    /// The names of the groups, in the order of the checks.
    package static var groups: [String] {
        var seen: Set<String> = []
        return all.map(\.description.group).filter { seen.insert($0).inserted }
    }
}
