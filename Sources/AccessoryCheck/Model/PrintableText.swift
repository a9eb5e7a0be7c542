/// Text from the other side, made safe to print: what could control a terminal is escaped.
package enum PrintableText {
    /// Returns printable text for bytes. Bytes that aren't printable ASCII are written as `\xNN`.
    ///
    /// - Parameter keepingLines: Whether line breaks stay.
    package static func of(_ bytes: some Sequence<UInt8>, keepingLines: Bool = false) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\r") where keepingLines: continue
            case UInt8(ascii: "\n") where keepingLines: text += "\n"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }

    /// Returns the beginning of a text, made printable.
    package static func excerpt(_ text: String, limit: Int = 120) -> String {
        let bytes = Array(text.utf8)
        return of(bytes.prefix(limit)) + (bytes.count > limit ? "…" : "")
    }
}
