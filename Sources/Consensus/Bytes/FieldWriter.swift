package import Foundation

/// Writes fields as bytes: numbers in big endian with eight bytes, texts and byte strings after their length.
package struct FieldWriter: Sendable {
    /// What was written.
    package private(set) var bytes: [UInt8]

    /// Creates a writer that continues after some bytes.
    package init(bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Adds a number, at least 0 and less than ``ConsensusLimits/maximumNumber``.
    package mutating func add(_ number: Int) {
        withUnsafeBytes(of: UInt64(number).bigEndian) { bytes += $0 }
    }

    /// Adds a flag.
    package mutating func add(_ flag: Bool) {
        bytes.append(flag ? 1 : 0)
    }

    /// Adds a byte.
    package mutating func add(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Adds a byte string.
    package mutating func add(_ string: [UInt8]) {
        add(string.count)
        bytes += string
    }

    /// Adds a text.
    package mutating func add(_ text: String) {
        add(Array(text.utf8))
    }

    /// Adds an ID.
    package mutating func add(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { bytes += $0 }
    }

    mutating func add(_ position: BatchPosition) {
        add(position.place)
        add(position.term)
    }

    mutating func add(_ batches: [Batch]) {
        add(batches.count)
        for batch in batches {
            add(batch.position)
            add(batch.bytes)
        }
    }
}
