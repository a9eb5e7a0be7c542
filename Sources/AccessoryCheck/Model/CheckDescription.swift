/// What reports and lists show of a check, whether it tests an accessory or a controller.
package struct CheckDescription: Hashable, Sendable {
    /// The ID, which never changes: the group, a period and a name.
    package let id: String
    /// How much a failure matters.
    package let severity: Check.Severity
    /// The requirement, in a sentence.
    package let requirement: String
    /// Where the requirement comes from.
    package let source: String

    /// Creates a description.
    package init(id: String, severity: Check.Severity, requirement: String, source: String) {
        self.id = id
        self.severity = severity
        self.requirement = requirement
        self.source = source
    }

    /// The name of the group, which is the first part of the ID.
    package var group: String { String(id.prefix { $0 != "." }) }

    /// The rows of a table of checks in Markdown, with its header.
    package static func table(_ checks: [CheckDescription]) -> String {
        let rows = checks.map { "| `\($0.id)` | \($0.severity.rawValue) | \($0.requirement) | \($0.source) |\n" }
        return "| ID | Severity | Requirement | Source |\n|---|---|---|---|\n" + rows.joined()
    }
}
