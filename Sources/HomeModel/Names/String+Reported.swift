extension String {
    /// A text of a device as it is kept: its beginning, at most so many Unicode scalars long.
    func reportedText(length: Int) -> String {
        let scalars = unicodeScalars
        guard utf8.count > length,
            let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex)
        else { return self }
        return String(scalars[..<end])
    }

    /// The text in quotes for a message: cut, and without characters that would garble it.
    var shownInQuotes: String { "“\(shownBriefly)”" }

    /// The text for a message, without quotes: cut, and without characters that would garble it.
    var shownBriefly: String { shown(length: HomeLimits.nameLength) }

    /// The text as people can be shown it, whoever wrote it: cut to so many Unicode scalars, and without characters that
    /// would garble a terminal or a page.
    package func shown(length: Int) -> String {
        let beginning = reportedText(length: length)
        var shown = String.UnicodeScalarView()
        for scalar in beginning.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown) + (beginning.utf8.count < utf8.count ? "…" : "")
    }
}
