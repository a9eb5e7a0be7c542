/// A name that gets a number when others have it: `Lamp`, `Lamp (2)`, `Lamp (3)`; for hosts `lamp`, `lamp-2`, `lamp-3`
/// (RFC 6762 section 9, RFC 6763 appendix D).
struct NumberedName: Hashable {
    /// How the number is written.
    enum Style: Hashable {
        /// A space and the number in parentheses.
        case instance
        /// A hyphen and the number.
        case host
    }

    private let base: String
    private var number: Int
    private let style: Style

    /// Takes a name as it was asked for. If it carries a number in the style already, counting goes on from there.
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

    /// The next name in order.
    var next: NumberedName {
        var copy = self
        copy.number += 1
        return copy
    }

    /// The name, shortened where its number would make it longer than a label.
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

    /// Reads a number that counting could have written: from 2 up, no leading zero, and few enough digits to go on.
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
    /// The last place where a text occurs.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        ranges(of: text).last
    }
}
