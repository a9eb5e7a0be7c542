import Foundation

/// Folds text so that case, accents, and width don't count: the form in which vocabularies and names are compared.
enum Folding {
    /// The base letters of precomposed Latin letters, from U+00C0 to U+024F.
    private static let latin: [UInt32] = (0xC0...0x24F).map { value in
        guard let scalar = Unicode.Scalar(UInt32(value)) else { return UInt32(value) }
        let text = String(scalar).decomposedStringWithCanonicalMapping.lowercased()
        return text.unicodeScalars.first?.value ?? UInt32(value)
    }

    static func fold(_ text: String) -> [Unicode.Scalar] {
        // Kana of half width, or with their marks apart.
        let text =
            text.unicodeScalars.contains { 0xFF61...0xFF9F ~= $0.value || 0x3099...0x309A ~= $0.value }
            ? text.decomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping : text
        var folded: [Unicode.Scalar] = []
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { append(scalar, to: &folded) }
        return folded
    }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout [Unicode.Scalar]) {
        switch scalar.value {
        case 0x41...0x5A: folded.append(Unicode.Scalar(UInt8(scalar.value + 0x20)))
        case 0..<0x80: folded.append(scalar)
        case 0xDF: folded.append(contentsOf: ["s", "s"])
        case 0xC6, 0xE6: folded.append(contentsOf: ["a", "e"])
        case 0x152, 0x153: folded.append(contentsOf: ["o", "e"])
        case 0xD8, 0xF8: folded.append("o")
        case 0xC0...0x24F: Unicode.Scalar(latin[Int(scalar.value) - 0xC0]).map { folded.append($0) }
        case 0x300...0x36F: break
        case 0x410...0x42F: Unicode.Scalar(scalar.value + 0x20).map { folded.append($0) }
        case 0x430...0x44F: folded.append(scalar)
        // Cyrillic ё is written е more often than not.
        case 0x401, 0x451: folded.append("\u{435}")
        case 0x2010...0x2015: folded.append("-")
        case 0x2018, 0x2019, 0x201B: folded.append("'")
        case 0x3000: folded.append(" ")
        case 0xFF01...0xFF5E:
            Unicode.Scalar(scalar.value - 0xFEE0).map { append($0, to: &folded) }
        default:
            if scalar.properties.isUppercase {
                folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            } else if !scalar.properties.isDefaultIgnorableCodePoint {
                folded.append(scalar)
            }
        }
    }
}
