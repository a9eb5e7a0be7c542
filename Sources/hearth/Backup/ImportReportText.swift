import Foundation
import HomeModel

/// Prints the result of an import: a paragraph for each home, with a line for each affected object.
struct ImportReportText {
    private let report: ImportReport
    private let isDryRun: Bool

    /// The maximum number of unmatched objects that are listed by name.
    private static let maximumListed = 20

    init(_ report: ImportReport, isDryRun: Bool) {
        self.report = report
        self.isDryRun = isDryRun
    }

    /// Prints the report.
    func print() {
        if report.homes.isEmpty { ProgramOutput.line("The export has no homes.") }
        for home in report.homes { print(home) }
        if isDryRun { ProgramOutput.line("This is a dry run: nothing was changed.") }
    }

    private func print(_ home: ImportReport.HomeResult) {
        let previousName = home.formerName.map { " (was called “\($0)”)" } ?? ""
        ProgramOutput.line("\(home.name)\(home.isNew ? " (new home)" : previousName)")
        let marks: [(ImportReport.Outcome, String)] = [
            (.added, "+"), (.changed, "~"), (.replaced, "!"), (.notHere, "?"), (.leftOut, "-"),
        ]
        for (fate, mark) in marks {
            for item in home.items where item.fate == fate { print(item, mark) }
        }
        let staying = home.items.filter { $0.fate == .stays }
        if !staying.isEmpty {
            let names = staying.prefix(Self.maximumListed).map { "\($0.kind.displayName) \($0.name)" }
            let more = staying.count > names.count ? " …" : ""
            ProgramOutput.line("  = only in the hub, kept: \(names.joined(separator: ", "))\(more)")
        }
        if home.unchanged > 0 {
            ProgramOutput.line("  = \(home.unchanged) object\(home.unchanged == 1 ? "" : "s") unchanged")
        }
    }

    private func print(_ item: ImportReport.Item, _ mark: String) {
        var line = "  \(mark) \(item.kind.displayName) \(item.name)"
        if item.fate == .notHere { line += " isn't in the hub" }
        if !item.remarks.isEmpty { line += ": \(item.remarks.joined(separator: ", "))" }
        if let number = item.line, [.replaced, .notHere, .leftOut].contains(item.fate) { line += " (line \(number))" }
        ProgramOutput.line(line)
    }
}

extension RecordKind {
    /// The name of the kind in output.
    fileprivate var displayName: String {
        switch self {
        case .serviceGroup: "group"
        case .actionSet: "scene"
        case .trigger: "automation"
        case .user: "user"
        default: rawValue.sanitized(maximumLength: HomeLimits.nameLength)
        }
    }
}
