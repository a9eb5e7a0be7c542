extension [UInt8] {
    /// Appends the text in UTF-8.
    mutating func append(string: String) {
        var string = string
        string.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends a text of the program in UTF-8, which takes less than appending a string.
    mutating func append(text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the number in decimal digits.
    mutating func append(decimal number: some UnsignedInteger & FixedWidthInteger) {
        let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
        if tens > 0 { append(decimal: tens) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: ones))
    }
}
