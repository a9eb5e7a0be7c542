import HubAPI

/// A report on a house for people.
struct HomeDiagnosisText {
    private let report: HomeDiagnosis

    init(_ report: HomeDiagnosis) {
        self.report = report
    }

    /// Prints it: what is the matter first, then what was looked at.
    func print() {
        ProgramOutput.line("Findings:")
        for finding in report.findings {
            let sort = finding.isProblem ? "problem" : "note"
            let names = finding.accessories.isEmpty ? "" : " (\(finding.accessories.joined(separator: ", ")))"
            ProgramOutput.line("  \(sort): \(finding.code)\(names): \(finding.text)")
            ProgramOutput.line("    to do: \(finding.advice)")
        }
        if report.findings.isEmpty { ProgramOutput.line("  none") }

        ProgramOutput.line("Accessories of the home:")
        var table = Table()
        for accessory in report.accessories {
            let state = [accessory.trouble].compactMap(\.self) + accessory.remarks
            let word = accessory.isReachable ? "answers" : "does not answer"
            let reasons = state.map(\.rawValue).joined(separator: ", ")
            table.add(accessory.name, accessory.room, reasons.isEmpty ? word : "\(word): \(reasons)")
        }
        table.print(indented: true)
        if report.accessories.isEmpty { ProgramOutput.line("  none") }

        DiscoveryReportText(report.discovery).printSurroundings()
    }
}
