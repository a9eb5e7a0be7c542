import HubAPI

/// Prints the diagnosis of a home.
struct HomeDiagnosisText {
    private let report: HomeDiagnosis

    init(_ report: HomeDiagnosis) {
        self.report = report
    }

    /// Prints the findings, then the observations.
    func print() {
        ProgramOutput.line("Findings:")
        for finding in report.findings {
            let kind = finding.isProblem ? "problem" : "note"
            let names = finding.accessories.isEmpty ? "" : " (\(finding.accessories.joined(separator: ", ")))"
            ProgramOutput.line("  \(kind): \(finding.code)\(names): \(finding.text)")
            ProgramOutput.line("    next step: \(finding.advice)")
        }
        if report.findings.isEmpty { ProgramOutput.line("  none") }

        ProgramOutput.line("Accessories of the home:")
        var table = Table()
        for accessory in report.accessories {
            let state = [accessory.trouble].compactMap(\.self) + accessory.remarks
            let status = accessory.isReachable ? "answers" : "doesn't answer"
            let reasons = state.map(\.rawValue).joined(separator: ", ")
            table.add(accessory.name, accessory.room, reasons.isEmpty ? status : "\(status): \(reasons)")
        }
        table.print(indented: true)
        if report.accessories.isEmpty { ProgramOutput.line("  none") }

        DiscoveryReportText(report.discovery).printObservations()
    }
}
