/// The list of all checks as Markdown, for `Documentation/Checks.md`.
package enum CheckDocument {
    /// The line after which the list begins. What is above it is written by hand.
    package static let marker = "<!-- Generated from the checks. Don't edit what follows. -->"

    /// The list, grouped.
    package static var list: String {
        var text = ""
        for group in CheckGroup.allCases {
            let checks = Check.all.filter { $0.group == group }
            guard !checks.isEmpty else { continue }
            text += "\n### \(group.title)\n\n" + CheckDescription.table(checks.map(\.description))
        }
        return text
    }
}
