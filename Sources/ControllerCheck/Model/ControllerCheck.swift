package import AccessoryCheck

/// A requirement of HAP that can be tested at a controller, by what it does in a scenario.
package struct ControllerCheck: Sendable {
    /// What reports and lists show.
    package let description: CheckDescription

    /// Judges what the controller did. Throws `CheckFailure` or `CheckNotApplicable`.
    let judge: @Sendable (Course) throws -> Void

    init(
        _ id: String,
        _ severity: Check.Severity,
        _ requirement: String,
        _ source: String,
        judge: @escaping @Sendable (Course) throws -> Void
    ) {
        description = CheckDescription(id: id, severity: severity, requirement: requirement, source: source)
        self.judge = judge
    }

    /// The ID, which never changes: the group, a period and a name.
    package var id: String { description.id }

    /// Returns the check's result for what a controller did.
    package func result(for course: Course) -> CheckResult {
        let outcome: CheckResult.Outcome
        do {
            try course.requireVisit()
            try judge(course)
            outcome = .passed
        } catch let failure as CheckFailure {
            let isWarning = description.severity == .should
            outcome = isWarning ? .warning(failure.seen) : .failed(failure.seen)
        } catch let reason as CheckNotApplicable {
            outcome = .notApplicable(reason.reason)
        } catch {
            outcome = .failed(PrintableText.excerpt("\(error)"))
        }
        return CheckResult(id: id, outcome: outcome)
    }
}
