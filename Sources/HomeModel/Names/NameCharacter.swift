/// The class of a Unicode scalar in a name, by tables that are fixed in this repository.
enum NameCharacter: Equatable {
    case letter
    case digit
    /// A combining mark, which belongs to the letter before it.
    case mark
    case space
    /// ' or ’
    case apostrophe
    /// A character that isn't allowed in a name.
    case other

    init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "a"..."z", "A"..."Z": self = .letter
        case "0"..."9": self = .digit
        case " ": self = .space
        case "'", "\u{2019}": self = .apostrophe
        case "\0"..."\u{7F}": self = .other
        default:
            self =
                if Self.isMember(scalar.value, of: NameTables.letters) {
                    .letter
                } else if Self.isMember(scalar.value, of: NameTables.marks) {
                    .mark
                } else if Self.isMember(scalar.value, of: NameTables.digits) {
                    .digit
                } else {
                    .other
                }
        }
    }

    /// Appends the case folding of a scalar; the scalar itself if it has no case.
    static func fold(_ scalar: Unicode.Scalar, into folded: inout String.UnicodeScalarView) {
        if let expansion = NameTables.foldExpansions[scalar.value] {
            folded.append(contentsOf: expansion.compactMap(Unicode.Scalar.init))
        } else {
            folded.append(simpleFold(scalar.value).flatMap(Unicode.Scalar.init) ?? scalar)
        }
    }

    private static func simpleFold(_ value: UInt32) -> UInt32? {
        let runs = NameTables.foldRuns
        guard let start = lastRun(notAfter: value, in: runs, width: 4) else { return nil }
        let (first, last, step, target) = (runs[start], runs[start + 1], runs[start + 2], runs[start + 3])
        guard value <= last, (value - first).isMultiple(of: step) else { return nil }
        return target + (value - first)
    }

    private static func isMember(_ value: UInt32, of runs: [UInt32]) -> Bool {
        guard let start = lastRun(notAfter: value, in: runs, width: 2) else { return false }
        return value <= runs[start + 1]
    }

    /// Returns the index of the last run whose first scalar is not above the value.
    private static func lastRun(notAfter value: UInt32, in runs: [UInt32], width: Int) -> Int? {
        var low = 0
        var high = runs.count / width
        while low < high {
            let middle = low + (high - low) / 2
            if runs[middle * width] <= value { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : (low - 1) * width
    }
}
