import HomeModel
import HubAPI

/// Collects the steps of a diagnosis. Steps that are missing at the end count as skipped.
struct DiagnosisBuilder {
    private typealias Step = AccessoryDiagnosis.Step

    /// The maximum length of a detail and of a finding's text, in Unicode scalars.
    static let textLength = 1_024

    private var steps: [AccessoryDiagnosis.StepName: AccessoryDiagnosis.Step] = [:]
    private var start = ContinuousClock.now

    /// Records a step that doesn't stop the diagnosis: a warning if there are findings. Its duration starts at the last
    /// record.
    mutating func pass(
        _ name: AccessoryDiagnosis.StepName,
        _ detail: String,
        _ findings: [AccessoryDiagnosis.Finding] = []
    ) {
        record(name, findings.isEmpty ? .passed : .warning, detail, findings)
    }

    /// Records the step at which the diagnosis stops.
    mutating func fail(
        _ name: AccessoryDiagnosis.StepName,
        _ detail: String,
        _ findings: [AccessoryDiagnosis.Finding]
    ) {
        record(name, .failed, detail, findings)
    }

    /// Records why a step was skipped.
    mutating func skip(_ name: AccessoryDiagnosis.StepName, _ detail: String) {
        record(name, .skipped, detail, [])
    }

    /// Records that the accessory could be reached.
    ///
    /// A missing or incomplete advertisement is then only a warning. The accessory is paired, regardless of any
    /// advertisement under its device ID that says otherwise.
    mutating func recordReached() {
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

    private mutating func record(
        _ name: AccessoryDiagnosis.StepName,
        _ outcome: AccessoryDiagnosis.Outcome,
        _ detail: String,
        _ findings: [AccessoryDiagnosis.Finding]
    ) {
        let now = ContinuousClock.now
        let milliseconds = Int(start.duration(to: now) / .milliseconds(1)) + (steps[name]?.milliseconds ?? 0)
        start = now
        // Much of this text comes from devices, or from anyone who advertises a service.
        let findings = findings.map { finding in
            var finding = finding
            finding.text = finding.text.sanitized(maximumLength: Self.textLength)
            return finding
        }
        let detail = detail.sanitized(maximumLength: Self.textLength)
        steps[name] = Step(name, outcome, detail, findings: findings, milliseconds: milliseconds)
    }

    /// All steps in order.
    var all: [AccessoryDiagnosis.Step] {
        AccessoryDiagnosis.StepName.all.map { steps[$0] ?? Step($0, .skipped, "Not tried.") }
    }
}
