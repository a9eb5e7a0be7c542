extension UInt8 {
    /// The byte, with an ASCII capital letter converted to lowercase (RFC 6762 section 16).
    var foldedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension String {
    /// Returns whether two strings differ only in the case of ASCII letters.
    func equalsFoldingASCII(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.foldedASCII == $1.foldedASCII }
    }
}
