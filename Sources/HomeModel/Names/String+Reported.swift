extension String {
    /// Returns the beginning of a device's text, at most the given number of Unicode scalars long.
    func reportedText(length: Int) -> String {
        let scalars = unicodeScalars
        guard utf8.count > length,
            let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex)
        else { return self }
        return String(scalars[..<end])
    }

    /// The text in quotes for a message, abbreviated and without characters that would garble it.
    var quoted: String { "“\(abbreviated)”" }

    /// The text for a message, abbreviated and without characters that would garble it.
    var abbreviated: String { sanitized(maximumLength: HomeLimits.nameLength) }

    /// Returns the text in a form that is safe to display: cut to the given number of Unicode scalars, and without
    /// characters that would garble a terminal or a page.
    package func sanitized(maximumLength: Int) -> String {
        let beginning = reportedText(length: maximumLength)
        var sanitized = String.UnicodeScalarView()
        for scalar in beginning.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                sanitized.append("\u{FFFD}")
            default: sanitized.append(scalar)
            }
        }
        return String(sanitized) + (beginning.utf8.count < utf8.count ? "…" : "")
    }
}
