/// A name that gets a number when another host has it: `Lamp`, `Lamp (2)`, `Lamp (3)`; for hosts `lamp`, `lamp-2`,
/// `lamp-3` (RFC 6762 section 9, RFC 6763 appendix D).
struct NumberedName: Hashable {
    /// The form of the number.
    enum Style: Hashable {
        /// A space and the number in parentheses.
        case instance
        /// A hyphen and the number.
        case host
    }

    private let base: String
    private var number: Int
    private let style: Style

    /// Creates a numbered name from the requested name. If it already has a number in the style, counting continues
    /// from it.
    init(_ name: String, style: Style) {
        self.style = style
        let (prefix, suffix) = Self.affixes(of: style)
        if name.hasSuffix(suffix), let start = name.dropLast(suffix.count).lastRange(of: prefix),
            let number = Self.number(in: name[start.upperBound...].dropLast(suffix.count)),
            start.lowerBound > name.startIndex
        {
            base = String(name[..<start.lowerBound])
            self.number = number
        } else {
            base = name
            number = 1
        }
    }

    /// The name with the next number.
    var next: NumberedName {
        var copy = self
        copy.number += 1
        return copy
    }

    /// The name as text, cut if the number would exceed the maximum length of a label.
    var text: String {
        guard number > 1 else { return base }
        let (prefix, suffix) = Self.affixes(of: style)
        let ending = "\(prefix)\(number)\(suffix)"
        var shortened = base
        while shortened.utf8.count + ending.utf8.count > DNSFormat.maximumLabelSize {
            shortened.removeLast()
        }
        return shortened + ending
    }

    private static func affixes(of style: Style) -> (prefix: String, suffix: String) {
        switch style {
        case .instance: (" (", ")")
        case .host: ("-", "")
        }
    }

    /// Parses a number of the form that counting produces: at least 2, no leading zero, and few enough digits to
    /// continue.
    private static func number(in text: some StringProtocol) -> Int? {
        guard (1...6).contains(text.utf8.count), text.first != "0", text.utf8.allSatisfy(\.isASCIIDigit),
            let number = Int(text), number > 1
        else { return nil }
        return number
    }
}

extension UInt8 {
    fileprivate var isASCIIDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

extension Substring {
    /// Returns the last range of a text.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        ranges(of: text).last
    }
}
