package import Foundation

/// Reads what a ``FieldWriter`` wrote. Each method returns `nil` if the bytes don't begin with such a field.
package struct FieldReader: Sendable {
    /// What wasn't read yet.
    package private(set) var rest: ArraySlice<UInt8>

    /// Creates a reader of bytes.
    package init(rest: ArraySlice<UInt8>) {
        self.rest = rest
    }

    /// Reads a number, at least 0 and less than ``ConsensusLimits/maximumNumber``.
    package mutating func number() -> Int? {
        guard rest.count >= 8 else { return nil }
        let number = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return number < UInt64(ConsensusLimits.maximumNumber) ? Int(number) : nil
    }

    /// Reads a flag.
    package mutating func flag() -> Bool? {
        guard let byte = rest.popFirst(), byte <= 1 else { return nil }
        return byte == 1
    }

    /// Reads a byte.
    package mutating func byte() -> UInt8? { rest.popFirst() }

    /// Reads a byte string.
    ///
    /// - Parameter maximum: The maximum length.
    package mutating func string(upTo maximum: Int = .max) -> [UInt8]? {
        guard let size = number(), size <= maximum, size <= rest.count else { return nil }
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
    }

    /// Reads a text.
    package mutating func text() -> String? {
        string().flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Reads an ID.
    package mutating func id() -> UUID? {
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let size = MemoryLayout.size(ofValue: uuid)
        guard rest.count >= size else { return nil }
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: rest.prefix(size)) }
        rest = rest.dropFirst(size)
        return UUID(uuid: uuid)
    }

    /// Reads as many values as a number says.
    package mutating func list<Value>(_ value: (inout FieldReader) -> Value?) -> [Value]? {
        guard let count = number(), count <= rest.count else { return nil }
        var values: [Value] = []
        for _ in 0..<count {
            guard let next = value(&self) else { return nil }
            values.append(next)
        }
        return values
    }

    mutating func position() -> BatchPosition? {
        guard let place = number(), let term = number() else { return nil }
        return BatchPosition(place: place, term: term)
    }

    mutating func batches() -> [Batch]? {
        guard let count = number(), count <= ConsensusLimits.batchesPerMessage else { return nil }
        var batches: [Batch] = []
        for _ in 0..<count {
            guard let position = position(), let bytes = string(upTo: ConsensusLimits.batchBytes) else { return nil }
            batches.append(Batch(position, bytes: bytes))
        }
        return batches
    }
}
