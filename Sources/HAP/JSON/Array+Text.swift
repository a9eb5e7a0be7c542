extension [UInt8] {
    /// Appends the text in UTF-8.
    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends the number in decimal digits.
    mutating func append(decimal number: some UnsignedInteger & FixedWidthInteger) {
        let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
        if tens > 0 { append(decimal: tens) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: ones))
    }
}
