import Foundation

/// A name as names compare: without case, spaces and apostrophes, and in either form of composed letters.
///
/// Case is folded by a fixed table (Unicode's full case folding), never by locale. Two names compare equal if their
/// folded forms do, which Swift compares by canonical equivalence. Source: Unicode Standard 3.13, D145.
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
