import Foundation
import HomeModel

/// What an import does, as people read it: a paragraph for each home, a line for each thing that something becomes of.
struct ImportReportText {
    private let report: ImportReport
    private let isDryRun: Bool

    /// The longest list of things that stay.
    private static let namedThings = 20

    init(_ report: ImportReport, isDryRun: Bool) {
        self.report = report
        self.isDryRun = isDryRun
    }

    /// Prints it.
    func print() {
        if report.homes.isEmpty { ProgramOutput.line("The export has no homes.") }
        for home in report.homes { print(home) }
        if isDryRun { ProgramOutput.line("This is a dry run: nothing was changed.") }
    }

    private func print(_ home: ImportReport.OfHome) {
        let former = home.formerName.map { " (was called “\($0)”)" } ?? ""
        ProgramOutput.line("\(home.name)\(home.isNew ? " (new home)" : former)")
        let marks: [(ImportReport.Fate, String)] = [
            (.added, "+"), (.changed, "~"), (.replaced, "!"), (.notHere, "?"), (.leftOut, "-"),
        ]
        for (fate, mark) in marks {
            for item in home.items where item.fate == fate { print(item, mark) }
        }
        let staying = home.items.filter { $0.fate == .stays }
        if !staying.isEmpty {
            let names = staying.prefix(Self.namedThings).map { "\($0.kind.displayName) \($0.name)" }
            let more = staying.count > names.count ? " …" : ""
            ProgramOutput.line("  = only here, and stay: \(names.joined(separator: ", "))\(more)")
        }
        if home.unchanged > 0 {
            ProgramOutput.line("  = \(home.unchanged) thing\(home.unchanged == 1 ? " is" : "s are") so already")
        }
    }

    private func print(_ item: ImportReport.Item, _ mark: String) {
        var line = "  \(mark) \(item.kind.displayName) \(item.name)"
        if item.fate == .notHere { line += " is not here" }
        if !item.remarks.isEmpty { line += ": \(item.remarks.joined(separator: ", "))" }
        if let number = item.line, [.replaced, .notHere, .leftOut].contains(item.fate) { line += " (line \(number))" }
        ProgramOutput.line(line)
    }
}

extension RecordKind {
    /// What people call it.
    fileprivate var displayName: String {
        switch self {
        case .serviceGroup: "group"
        case .actionSet: "scene"
        case .trigger: "automation"
        case .user: "person"
        default: rawValue.shown(length: HomeLimits.nameLength)
        }
    }
}
