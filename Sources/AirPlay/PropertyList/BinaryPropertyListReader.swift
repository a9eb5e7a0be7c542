/// A reader of binary property lists from anyone on the network.
///
/// It is an implementation of its own because objects are named by references: a few hundred bytes can stand for 2⁶⁰
/// values, and Foundation's `PropertyListSerialization` then never returns. This reader counts what it makes.
package struct BinaryPropertyListReader {
    private typealias Format = BinaryPropertyListFormat

    /// The maximum length in bytes.
    package static let lengthLimit = 65_536
    /// The maximum number of objects, and of values that they stand for.
    package static let valueLimit = 4_096
    /// The maximum number of containers around a value.
    package static let depthLimit = 16
    /// The maximum number of bytes in all texts and data that the objects stand for.
    package static let contentLimit = 262_144

    /// The reason for which bytes can't be read.
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes aren't a binary property list, or contradict themselves.
        case malformed
        /// The list exceeds a limit.
        case tooLarge
    }

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let table: Int
    private var valueCount = 0
    private var contentLength = 0

    /// Returns the value that the bytes stand for.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyList {
        var reader = try BinaryPropertyListReader(bytes)
        let root = try reader.number(at: bytes.count - 16, size: 8)
        return try reader.value(root, depth: 0)
    }

    private init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Self.lengthLimit else { throw .tooLarge }
        guard bytes.count >= Format.magic.count + Format.trailerLength, bytes.starts(with: Format.magic) else {
            throw .malformed
        }
        let trailer = bytes.count - Format.trailerLength
        func long(_ offset: Int) -> UInt64 {
            UInt64(bigEndian: bytes[trailer + offset..<trailer + offset + 8])
        }
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + Format.unusedTrailerLength])
        referenceSize = Int(bytes[trailer + Format.unusedTrailerLength + 1])
        guard long(8) <= Self.valueLimit else { throw .tooLarge }
        objectCount = Int(long(8))
        guard long(24) <= trailer else { throw .malformed }
        table = Int(long(24))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), table >= Format.magic.count,
            objectCount * offsetSize <= trailer - table
        else { throw .malformed }
    }

    /// Returns an unsigned number.
    private func number(at offset: Int, size: Int) throws(Failure) -> Int {
        guard offset >= 0, size <= bytes.count - offset else { throw .malformed }
        let number = UInt64(bigEndian: bytes[offset..<offset + size])
        guard number <= Int32.max else { throw .malformed }
        return Int(number)
    }

    /// Returns the value of an object.
    private mutating func value(_ object: Int, depth: Int) throws(Failure) -> PropertyList {
        valueCount += 1
        guard valueCount <= Self.valueLimit, depth <= Self.depthLimit else { throw .tooLarge }
        guard object < objectCount else { throw .malformed }
        var offset = try number(at: table + object * offsetSize, size: offsetSize)
        guard (Format.magic.count..<table).contains(offset) else { throw .malformed }
        let marker = bytes[offset]
        offset += 1
        guard let kind = Format.Kind(rawValue: marker >> 4) else { throw .malformed }
        let size = marker & 0x0F
        switch kind {
        case .simple:
            guard marker == Format.trueObject || marker == Format.falseObject else { throw .malformed }
            return .boolean(marker == Format.trueObject)
        case .integer: return .integer(try integer(at: offset, size))
        case .real:
            guard size == 2 || size == 3 else { throw .malformed }
            let part = try content(at: offset, 1 << Int(size))
            return .real(
                size == 2
                    ? Double(Float(bitPattern: UInt32(bigEndian: part)))
                    : Double(bitPattern: UInt64(bigEndian: part))
            )
        case .date:
            guard size == 3 else { throw .malformed }
            return .date(Double(bitPattern: UInt64(bigEndian: try content(at: offset, 8))))
        case .data, .ascii, .utf16, .utf8, .array, .dictionary:
            let count = try length(size, &offset)
            return switch kind {
            case .data: .data(Array(try content(at: offset, count)))
            case .array: .array(try elements(references(at: offset, count), depth: depth))
            case .dictionary: .dictionary(try entries(at: offset, count, depth: depth))
            default: .string(try text(kind, at: offset, count))
            }
        }
    }

    /// Returns the number of elements, bytes or characters, and moves the offset behind it.
    private func length(_ size: UInt8, _ offset: inout Int) throws(Failure) -> Int {
        guard size == Format.lengthFollows else { return Int(size) }
        guard offset < table, Format.Kind(rawValue: bytes[offset] >> 4) == .integer else { throw .malformed }
        let exponent = bytes[offset] & 0x0F
        let length = try integer(at: offset + 1, exponent)
        offset += 1 + 1 << Int(exponent)
        guard (0...Int128(Self.lengthLimit)).contains(length) else { throw .malformed }
        return Int(length)
    }

    /// Returns an integer of 2ⁿ bytes. Shorter ones than eight bytes are unsigned.
    private func integer(at offset: Int, _ exponent: UInt8) throws(Failure) -> Int128 {
        guard exponent <= 4 else { throw .malformed }
        let size = 1 << Int(exponent)
        guard size <= table - offset else { throw .malformed }
        let part = bytes[offset..<offset + size]
        return switch size {
        case 16: Int128(bigEndian: part)
        case 8: Int128(Int64(bigEndian: part))
        default: Int128(UInt32(bigEndian: part))
        }
    }

    /// Returns the bytes of an object, and counts them.
    private mutating func content(at offset: Int, _ count: Int) throws(Failure) -> ArraySlice<UInt8> {
        guard count <= table - offset else { throw .malformed }
        contentLength += count
        guard contentLength <= Self.contentLimit else { throw .tooLarge }
        return bytes[offset..<offset + count]
    }

    private mutating func text(_ kind: Format.Kind, at offset: Int, _ count: Int) throws(Failure) -> String {
        let part = try content(at: offset, kind == .utf16 ? count * 2 : count)
        let text: String? =
            switch kind {
            case .utf16:
                String(
                    validating: stride(from: part.startIndex, to: part.endIndex, by: 2).map {
                        UInt16(part[$0]) << 8 | UInt16(part[$0 + 1])
                    },
                    as: UTF16.self
                )
            case .ascii: part.allSatisfy { $0 < 0x80 } ? String(decoding: part, as: UTF8.self) : nil
            default: String(validating: part, as: UTF8.self)
            }
        guard let text else { throw .malformed }
        return text
    }

    private func references(at offset: Int, _ count: Int) throws(Failure) -> [Int] {
        guard count <= Self.valueLimit else { throw .tooLarge }
        guard count * referenceSize <= table - offset else { throw .malformed }
        var references: [Int] = []
        for index in 0..<count {
            references.append(try number(at: offset + index * referenceSize, size: referenceSize))
        }
        return references
    }

    private mutating func elements(_ references: [Int], depth: Int) throws(Failure) -> [PropertyList] {
        var elements: [PropertyList] = []
        for reference in references { elements.append(try value(reference, depth: depth + 1)) }
        return elements
    }

    private mutating func entries(
        at offset: Int,
        _ count: Int,
        depth: Int
    ) throws(Failure) -> [String: PropertyList] {
        let references = try references(at: offset, count * 2)
        var entries: [String: PropertyList] = [:]
        for index in 0..<count {
            guard case .string(let key) = try value(references[index], depth: depth + 1), entries[key] == nil else {
                throw .malformed
            }
            entries[key] = try value(references[count + index], depth: depth + 1)
        }
        return entries
    }
}

extension PropertyList {
    /// Reads a body. Returns `nil` if it isn't a binary property list within the limits.
    package init?(_ bytes: [UInt8]) {
        guard let value = try? BinaryPropertyListReader.read(bytes) else { return nil }
        self = value
    }
}
