extension UInt8 {
    /// The byte itself, or the lower case letter if it is an ASCII capital (RFC 6762 section 16).
    var foldedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension String {
    /// Whether two texts differ at most in the case of ASCII letters.
    func equalsFoldingASCII(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.foldedASCII == $1.foldedASCII }
    }
}
