import AccessoryCheck

/// The lists of all scenarios and checks as Markdown, for `Documentation/ControllerChecks.md`.
package enum ControllerCheckDocument {
    /// The line after which the lists begin.
    package static let marker = "<!-- Generated from the scenarios. Don't edit what follows. -->"

    /// The scenarios, each with its checks.
    package static var list: String {
        var text = "\n| Scenario | Kind | The accessory | Checks |\n|---|---|---|---|\n"
        for scenario in Scenario.all {
            let ids = scenario.checks.map { "`\($0.id)`" }
            let checks = ids.count > 3 ? "\(ids.count), from \(ids[0]) on" : ids.joined(separator: ", ")
            text += "| `\(scenario.name)` | \(scenario.kind.rawValue) | \(scenario.summary) | \(checks) |\n"
        }
        for group in ControllerCheck.groups {
            let checks = ControllerCheck.all.map(\.description).filter { $0.group == group }
            text += "\n### \(title(group))\n\n" + CheckDescription.table(checks)
        }
        return text
    }

    private static func title(_ group: String) -> String {
        group.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}
