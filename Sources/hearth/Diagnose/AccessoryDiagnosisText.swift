import Foundation
import HubAPI

/// Prints the diagnosis of an accessory.
struct AccessoryDiagnosisText {
    private let diagnosis: AccessoryDiagnosis
    private let name: String

    init(_ diagnosis: AccessoryDiagnosis, of name: String) {
        self.diagnosis = diagnosis
        self.name = name
    }

    /// Prints the result, then the steps.
    func print() {
        for line in lines { ProgramOutput.line(line) }
    }

    /// The result, then the steps.
    var lines: [String] {
        var lines = [headline]
        if let advice = diagnosis.cause?.advice, !advice.isEmpty { lines.append("Next step: \(advice)") }
        lines.append("")
        let width = diagnosis.steps.map(\.name.rawValue.count).max() ?? 0
        for step in diagnosis.steps {
            let name = step.name.rawValue.padding(toLength: width, withPad: " ", startingAt: 0)
            let outcome = step.outcome.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            lines.append("  \(outcome)  \(name)  \(step.detail)")
            for finding in step.findings {
                lines.append("             \(finding.trouble.rawValue): \(finding.text)")
                // The headline already has the advice for the cause.
                if finding != diagnosis.cause { lines.append("             next step: \(finding.advice)") }
            }
        }
        return lines
    }

    private var headline: String {
        guard let cause = diagnosis.cause else { return "“\(name)” works." }
        guard let stop = diagnosis.stop else { return "“\(name)” works, but: \(cause.text)" }
        return "“\(name)” failed at \(stop.name.rawValue): \(cause.text)"
    }
}
