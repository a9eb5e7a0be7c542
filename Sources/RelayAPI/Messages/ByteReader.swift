import Foundation
import HomeIdentity

/// Reads numbers, IDs and bytes one after another.
struct ByteReader {
    private var rest: Data

    init(_ data: Data) {
        rest = data
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next bytes; `nil` if there are too few.
    mutating func bytes(_ count: Int) -> Data? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Data(rest.prefix(count))
    }

    /// Returns the next number, in big endian.
    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        bytes(MemoryLayout<Value>.size).map { $0.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) } }
    }

    /// Returns the next ID.
    mutating func id<ID: HexadecimalID>(_ type: ID.Type) -> ID? {
        bytes(ID.byteCount).flatMap { ID($0) }
    }
}

extension Data {
    /// Appends a number in big endian.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
