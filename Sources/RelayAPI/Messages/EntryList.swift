package import Foundation

/// The response with entries: each is `length(4) bytes`, with the length in big endian.
package enum EntryList {
    /// Returns the body.
    package static func encode(_ entries: [Data]) -> Data {
        var data = Data(capacity: entries.reduce(0) { $0 + $1.count + MemoryLayout<UInt32>.size })
        for entry in entries {
            data.append(bigEndian: UInt32(entry.count))
            data.append(entry)
        }
        return data
    }

    /// Reads a body.
    ///
    /// - Throws: `malformed` if it is cut off.
    package static func decode(_ data: Data) throws(RelayError) -> [Data] {
        var reader = ByteReader(data)
        var entries: [Data] = []
        while !reader.isAtEnd {
            guard let length = reader.integer(UInt32.self), length <= RelayLimits.entryBytes,
                let entry = reader.bytes(Int(length))
            else { throw .malformed("An entry is cut off or too long.") }
            entries.append(entry)
        }
        return entries
    }
}
