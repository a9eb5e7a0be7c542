extension PropertyList {
    /// The binary property list.
    package var bytes: [UInt8] {
        var writer = BinaryPropertyListWriter()
        return writer.write(self)
    }
}

/// A writer of binary property lists. Keys are sorted, so that equal values have equal bytes.
private struct BinaryPropertyListWriter {
    private typealias Format = BinaryPropertyListFormat

    private static let referenceSize = 4
    private static let offsetSize = 4

    private var bytes = Format.magic
    private var offsets: [Int] = []

    mutating func write(_ value: PropertyList) -> [UInt8] {
        let root = append(value)
        let table = bytes.count
        for offset in offsets { bytes.append(bigEndian: UInt32(truncatingIfNeeded: offset)) }
        bytes += Array(repeating: 0, count: Format.unusedTrailerLength)
        bytes += [UInt8(Self.offsetSize), UInt8(Self.referenceSize)]
        for number in [offsets.count, root, table] { bytes.append(bigEndian: UInt64(number)) }
        return bytes
    }

    /// Appends an object, after the objects that it refers to. Returns its number.
    private mutating func append(_ value: PropertyList) -> Int {
        switch value {
        case .boolean(let value): start(.simple, value ? Format.trueObject : Format.falseObject)
        case .integer(let value):
            start()
            appendInteger(value)
        case .real(let value):
            start(.real, 3)
            bytes.append(bigEndian: value.bitPattern)
        case .date(let value):
            start(.date, 3)
            bytes.append(bigEndian: value.bitPattern)
        case .data(let value):
            start(.data, count: value.count)
            bytes += value
        case .string(let value):
            if value.utf8.allSatisfy({ $0 < 0x80 }) {
                start(.ascii, count: value.utf8.count)
                bytes += value.utf8
            } else {
                start(.utf16, count: value.utf16.count)
                for unit in value.utf16 { bytes.append(bigEndian: unit) }
            }
        case .array(let values):
            let references = values.map { append($0) }
            start(.array, count: values.count)
            append(references)
        case .dictionary(let entries):
            let keys = entries.keys.sorted()
            var references = keys.map { append(.string($0)) }
            for key in keys { references.append(append(entries[key] ?? false)) }
            start(.dictionary, count: keys.count)
            append(references)
        }
        return offsets.count - 1
    }

    private mutating func append(_ references: [Int]) {
        for reference in references { bytes.append(bigEndian: UInt32(truncatingIfNeeded: reference)) }
    }

    private mutating func start() {
        offsets.append(bytes.count)
    }

    private mutating func start(_ kind: Format.Kind, _ size: UInt8) {
        start()
        bytes.append(kind.rawValue << 4 | size)
    }

    private mutating func start(_ kind: Format.Kind, count: Int) {
        if count < Int(Format.lengthFollows) {
            start(kind, UInt8(count))
        } else {
            start(kind, Format.lengthFollows)
            appendInteger(Int128(count))
        }
    }

    private mutating func appendInteger(_ value: Int128) {
        func marker(_ exponent: UInt8) -> UInt8 { Format.Kind.integer.rawValue << 4 | exponent }
        if let value = UInt8(exactly: value) {
            bytes += [marker(0), value]
        } else if let value = UInt16(exactly: value) {
            bytes.append(marker(1))
            bytes.append(bigEndian: value)
        } else if let value = UInt32(exactly: value) {
            bytes.append(marker(2))
            bytes.append(bigEndian: value)
        } else if let value = Int64(exactly: value) {
            bytes.append(marker(3))
            bytes.append(bigEndian: value)
        } else {
            bytes.append(marker(4))
            bytes.append(bigEndian: value)
        }
    }
}
