import Foundation
import HubAPI

/// A diagnosis for people.
struct AccessoryDiagnosisText {
    private let diagnosis: AccessoryDiagnosis
    private let name: String

    init(_ diagnosis: AccessoryDiagnosis, of name: String) {
        self.diagnosis = diagnosis
        self.name = name
    }

    /// Prints it: what matters first, then the steps.
    func print() {
        ProgramOutput.line(headline)
        if let advice = diagnosis.cause?.advice, !advice.isEmpty { ProgramOutput.line("To do: \(advice)") }
        ProgramOutput.line("")
        let width = diagnosis.steps.map(\.name.rawValue.count).max() ?? 0
        for step in diagnosis.steps {
            let name = step.name.rawValue.padding(toLength: width, withPad: " ", startingAt: 0)
            let outcome = step.outcome.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            ProgramOutput.line("  \(outcome)  \(name)  \(step.detail)")
            for finding in step.findings {
                ProgramOutput.line("             \(finding.trouble.rawValue): \(finding.text)")
                // The first of all is said already.
                if finding != diagnosis.cause { ProgramOutput.line("             to do: \(finding.advice)") }
            }
        }
    }

    private var headline: String {
        guard let cause = diagnosis.cause else { return "“\(name)” is well." }
        guard let stop = diagnosis.stop else { return "“\(name)” can be used, but: \(cause.text)" }
        return "“\(name)” stops at \(stop.name.rawValue): \(cause.text)"
    }
}
