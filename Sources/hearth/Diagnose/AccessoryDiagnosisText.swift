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
        ProgramOutput.line(headline)
        if let advice = diagnosis.cause?.advice, !advice.isEmpty { ProgramOutput.line("Next step: \(advice)") }
        ProgramOutput.line("")
        let width = diagnosis.steps.map(\.name.rawValue.count).max() ?? 0
        for step in diagnosis.steps {
            let name = step.name.rawValue.padding(toLength: width, withPad: " ", startingAt: 0)
            let outcome = step.outcome.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            ProgramOutput.line("  \(outcome)  \(name)  \(step.detail)")
            for finding in step.findings {
                ProgramOutput.line("             \(finding.trouble.rawValue): \(finding.text)")
                // The headline already has the advice for the cause.
                if finding != diagnosis.cause { ProgramOutput.line("             next step: \(finding.advice)") }
            }
        }
    }

    private var headline: String {
        guard let cause = diagnosis.cause else { return "“\(name)” works." }
        guard let stop = diagnosis.stop else { return "“\(name)” works, but: \(cause.text)" }
        return "“\(name)” failed at \(stop.name.rawValue): \(cause.text)"
    }
}
