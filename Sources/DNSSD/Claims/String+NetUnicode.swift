import Foundation

extension String {
    /// The text in the composed form in which names are written (RFC 6762 section 16, RFC 6763 section 4.1.1): DNS compares
    /// bytes, so a letter must not be written in two ways.
    var netUnicode: String { precomposedStringWithCanonicalMapping }
}
