import Foundation

extension String {
    /// The text in composed form, as names are encoded (RFC 6762 section 16, RFC 6763 section 4.1.1). DNS compares
    /// bytes, so each letter must have a single form.
    var netUnicode: String {
        // ASCII is composed already, and Foundation's tables take time and memory when they are first used.
        utf8.allSatisfy(UTF8.isASCII) ? self : precomposedStringWithCanonicalMapping
    }
}
