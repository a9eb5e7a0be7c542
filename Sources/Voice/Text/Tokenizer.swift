/// Splits text into tokens. A language's vocabulary, a home's names, and sentences are split by the same rules.
struct Tokenizer: Sendable {
    /// Characters that a language writes in more than one way, by what stands for all of them.
    var variants: [Unicode.Scalar: [Unicode.Scalar]] = [:]

    func tokens(_ text: String) -> [Token] {
        var scalars = Folding.fold(text)
        if !variants.isEmpty {
            scalars = scalars.flatMap { variants[$0] ?? [$0] }
        }
        var tokens: [Token] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if Self.isDigit(scalar) {
                index = number(scalars, from: index, into: &tokens)
            } else if Self.standsAlone(scalar) {
                tokens.append(Token(text: String(scalar), kind: .character))
                index += 1
            } else if Self.isLetter(scalar) {
                var end = index + 1
                while end < scalars.count, Self.isLetter(scalars[end]), !Self.standsAlone(scalars[end]) { end += 1 }
                tokens.append(Token(text: Self.string(scalars[index..<end]), kind: .word))
                index = end
            } else {
                if let mark = Self.mark(scalar) { tokens.append(Token(text: mark, kind: .mark)) }
                index += 1
            }
        }
        return tokens
    }

    /// Reads 20, 20.5, 20,5 and 7:30, and -5 after a space.
    private func number(_ scalars: [Unicode.Scalar], from start: Int, into tokens: inout [Token]) -> Int {
        var end = start
        while end < scalars.count, Self.isDigit(scalars[end]) { end += 1 }
        let whole = Self.string(scalars[start..<end])
        guard end + 1 < scalars.count, Self.isDigit(scalars[end + 1]) else {
            return finish(whole, Double(whole) ?? 0, at: end)
        }
        var fractionEnd = end + 1
        while fractionEnd < scalars.count, Self.isDigit(scalars[fractionEnd]) { fractionEnd += 1 }
        let fraction = Self.string(scalars[(end + 1)..<fractionEnd])
        switch scalars[end] {
        case ":" where fraction.count == 2:
            guard let hour = Int(whole), let minute = Int(fraction), hour < 25, minute < 60 else { break }
            tokens.append(Token(text: "\(whole):\(fraction)", kind: .clock(hour: hour % 24, minute: minute)))
            return fractionEnd
        case ".", ",":
            return finish("\(whole).\(fraction)", Double("\(whole).\(fraction)") ?? 0, at: fractionEnd)
        default: break
        }
        return finish(whole, Double(whole) ?? 0, at: end)

        func finish(_ text: String, _ value: Double, at end: Int) -> Int {
            let negative =
                start > 0 && (scalars[start - 1] == "-" || scalars[start - 1] == "\u{2212}")
                && (start == 1 || scalars[start - 2] == " ")
            tokens.append(Token(text: negative ? "-\(text)" : text, kind: .number(negative ? -value : value)))
            return end
        }
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x30 && scalar.value <= 0x39 }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61...0x7A: true
        case 0..<0x80: false
        case 0x430...0x44F: true
        default: scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
        }
    }

    /// Whether a character of a script without spaces: Han, kana, Thai and its neighbors.
    static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0xE00: false
        case 0xE00...0xEFF, 0x3005...0x3007, 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private static func mark(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "%", "\u{2030}": "%"
        case "\u{B0}", "\u{2103}", "\u{2109}", "\u{BA}": "\u{B0}"
        case "?", "\u{61F}": "?"
        case ",", ";", ".", "!", "\u{3002}", "\u{3001}", ":": ","
        case "&", "+": "&"
        default: nil
        }
    }
}
