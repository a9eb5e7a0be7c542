import Foundation

/// The rules for names. Source: Apple's HomeKit Developer Guide. The limit and the fixed tables are specific to Hearth.
package enum NameRule {
    /// The maximum number of bytes of a name with ``HomeLimits/nameLength`` characters in any form: no character
    /// decomposes into more than four scalars, and no scalar is longer than four bytes.
    private static let maximumBytes = HomeLimits.nameLength * 4 * 4

    /// Throws if the name is empty or too long, has characters other than letters (of any script, with their marks),
    /// digits, spaces and apostrophes, or begins or ends with a space or an apostrophe.
    static func check(_ name: String) throws(HomeError) {
        if name.isEmpty { throw HomeError(.nameEmpty, "A name needs at least one letter or digit.") }
        guard name.utf8.count <= maximumBytes, length(name) <= HomeLimits.nameLength else {
            throw HomeError(
                .nameTooLong,
                "“\(name.abbreviated)” is too long. A name can have at most \(HomeLimits.nameLength) characters.",
                limit: HomeLimits.nameLength
            )
        }
        var previous = NameCharacter.other
        for scalar in name.unicodeScalars {
            let character = NameCharacter(scalar)
            switch character {
            case .letter, .digit, .space, .apostrophe: previous = character
            case .mark where previous == .letter: break
            case .mark, .other:
                throw HomeError(
                    .nameInvalidCharacter,
                    "\(name.quoted) contains \(description(of: scalar)), which isn't allowed in a name."
                        + " Use only letters, digits, spaces and apostrophes.",
                    name: name,
                    character: Character(scalar)
                )
            }
        }
        if let first = name.unicodeScalars.first, !isLetterOrDigit(NameCharacter(first)) {
            throw HomeError(
                .nameInvalidStart,
                "\(name.quoted) begins with \(description(of: first)). A name must begin with a letter or digit.",
                name: name,
                character: Character(first)
            )
        }
        if let last = name.unicodeScalars.last, !isLetterOrDigit(previous) {
            throw HomeError(
                .nameInvalidEnd,
                "\(name.quoted) ends with \(description(of: last)). A name must end with a letter or digit.",
                name: name,
                character: Character(last)
            )
        }
    }

    /// Returns a valid name that is derived from a device's reported name: characters that aren't allowed become
    /// spaces, runs of spaces become one, spaces and apostrophes at the ends are removed, and the rest is cut to the
    /// limit.
    ///
    /// - Returns: The name; `nil` if nothing is left.
    static func repaired(_ text: String) -> String? {
        var repaired = String.UnicodeScalarView()
        var previous = NameCharacter.other
        for scalar in text.reportedText(length: HomeLimits.reportedTextLength).unicodeScalars {
            switch NameCharacter(scalar) {
            case .letter, .digit, .apostrophe:
                previous = NameCharacter(scalar)
                repaired.append(scalar)
            case .mark where previous == .letter:
                repaired.append(scalar)
            case .mark, .space, .other:
                if previous != .space { repaired.append(" ") }
                previous = .space
            }
        }
        return trimmed(cut(trimmed(String(repaired)), to: HomeLimits.nameLength)).nonEmpty
    }

    /// Returns the name with a number appended, cut so that both fit.
    package static func numbered(_ name: String, _ number: Int) -> String {
        let suffix = " \(number)"
        return trimmed(cut(name, to: HomeLimits.nameLength - suffix.utf8.count)) + suffix
    }

    /// Returns a stored name cut to the limit. A log that was written under other rules, or was tampered with, may have
    /// longer names; users can rename such objects.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > HomeLimits.nameLength else { return name }
        return cut(name.reportedText(length: maximumBytes), to: HomeLimits.nameLength)
    }

    /// Returns the number of characters of a name: scalars of its composed form, so that both forms of a letter count
    /// alike.
    private static func length(_ name: String) -> Int {
        name.precomposedStringWithCanonicalMapping.unicodeScalars.count
    }

    /// Returns the beginning of a name. A letter isn't separated from its marks, unless it has more than fit.
    private static func cut(_ name: String, to length: Int) -> String {
        guard Self.length(name) > length else { return name }
        let scalars = Array(name.precomposedStringWithCanonicalMapping.unicodeScalars)
        var end = min(length, scalars.count)
        if end < scalars.count, NameCharacter(scalars[end]) == .mark {
            let letter = scalars[..<end].lastIndex { NameCharacter($0) != .mark } ?? 0
            if letter > 0 { end = letter }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[..<end])
        return String(view)
    }

    private static func trimmed(_ name: String) -> String {
        let isEdge = { (scalar: Unicode.Scalar) in [.space, .apostrophe].contains(NameCharacter(scalar)) }
        var scalars = name.unicodeScalars[...]
        while let first = scalars.first, isEdge(first) { scalars.removeFirst() }
        while let last = scalars.last, isEdge(last) { scalars.removeLast() }
        return String(scalars)
    }

    private static func isLetterOrDigit(_ character: NameCharacter) -> Bool {
        character == .letter || character == .digit
    }

    private static func description(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        if scalar == " " { return "a space" }
        if NameCharacter(scalar) == .apostrophe { return "an apostrophe" }
        let isPrintable =
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
                false
            default: true
            }
        let name = scalar.properties.name.map { " \($0)" } ?? ""
        return isPrintable ? "“\(scalar)” (\(code)\(name))" : code + name
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
