import Foundation

/// A name in the form in which names are compared: without case, spaces and apostrophes, and with canonical
/// equivalence.
///
/// Case is folded by a fixed table (Unicode's full case folding), independent of the locale. Two names are equal if
/// their folded forms are, which Swift compares by canonical equivalence. Source: Unicode Standard 3.13, D145.
package struct FoldedName: Hashable, Sendable {
    package let text: String

    package init(_ name: String) {
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            var folded: [UInt8] = []
            folded.reserveCapacity(name.utf8.count)
            for byte in name.utf8 where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "'") {
                folded.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
            }
            text = String(decoding: folded, as: UTF8.self)
            return
        }
        var folded = String.UnicodeScalarView()
        for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars {
            switch NameCharacter(scalar) {
            case .space, .apostrophe: continue
            default: NameCharacter.fold(scalar, into: &folded)
            }
        }
        text = String(folded)
    }
}
