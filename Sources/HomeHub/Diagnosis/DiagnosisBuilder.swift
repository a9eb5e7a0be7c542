import HomeModel
import HubAPI

/// The steps of a diagnosis as they are made. What is not made by the end was skipped.
struct DiagnosisBuilder {
    private typealias Step = AccessoryDiagnosis.Step

    /// The most Unicode scalars of a detail, and of a finding's text.
    static let textLength = 1_024

    private var steps: [AccessoryDiagnosis.StepName: AccessoryDiagnosis.Step] = [:]
    private var begin = ContinuousClock.now

    /// Notes a step that goes on: a warning if something was found. The time since the last note is its own.
    mutating func pass(
        _ name: AccessoryDiagnosis.StepName,
        _ detail: String,
        _ findings: [AccessoryDiagnosis.Finding] = []
    ) {
        note(name, findings.isEmpty ? .passed : .warning, detail, findings)
    }

    /// Notes a step at which the way ends.
    mutating func fail(
        _ name: AccessoryDiagnosis.StepName,
        _ detail: String,
        _ findings: [AccessoryDiagnosis.Finding]
    ) {
        note(name, .failed, detail, findings)
    }

    /// Notes why a step was not tried.
    mutating func skip(_ name: AccessoryDiagnosis.StepName, _ detail: String) {
        note(name, .skipped, detail, [])
    }

    /// Notes that it was reached: that nothing announces it, or not all that is needed, is worth no more than a warning then.
    /// And it is paired, whoever announces under its id that nobody has paired it.
    mutating func noteReached() {
        dropFinding(.wasReset, of: .advertised)
        if steps[.address]?.outcome == .failed { steps[.address]?.outcome = .warning }
        guard steps[.advertised]?.outcome == .failed else { return }
        steps[.advertised]?.outcome = .warning
        steps[.advertised]?.findings = [.init(.unannounced)]
    }

    private mutating func dropFinding(_ trouble: AccessoryTrouble, of name: AccessoryDiagnosis.StepName) {
        guard var step = steps[name], step.findings.contains(where: { $0.trouble == trouble }) else { return }
        step.findings.removeAll { $0.trouble == trouble }
        if step.findings.isEmpty, step.outcome == .warning { step.outcome = .passed }
        steps[name] = step
    }

    private mutating func note(
        _ name: AccessoryDiagnosis.StepName,
        _ outcome: AccessoryDiagnosis.Outcome,
        _ detail: String,
        _ findings: [AccessoryDiagnosis.Finding]
    ) {
        let now = ContinuousClock.now
        let milliseconds = Int(begin.duration(to: now) / .milliseconds(1)) + (steps[name]?.milliseconds ?? 0)
        begin = now
        // Much of it comes from devices, and from whoever announces anything.
        let findings = findings.map { finding in
            var finding = finding
            finding.text = finding.text.sanitized(maximumLength: Self.textLength)
            return finding
        }
        let detail = detail.sanitized(maximumLength: Self.textLength)
        steps[name] = Step(name, outcome, detail, findings: findings, milliseconds: milliseconds)
    }

    /// All steps in their order.
    var all: [AccessoryDiagnosis.Step] {
        AccessoryDiagnosis.StepName.all.map { steps[$0] ?? Step($0, .skipped, "Not tried.") }
    }
}
