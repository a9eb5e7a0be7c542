import Foundation

/// A change in its stored form: the entry's payload, and each record by itself. Each record is encoded only once.
package struct EncodedChange: Sendable {
    /// An effect with its record's JSON.
    package enum Effect: Sendable {
        /// Adds the record, or replaces the record with the same kind and ID.
        case put(RecordID, body: [UInt8])
        /// Removes the record.
        case remove(RecordID)
    }

    /// The JSON of the change: the same bytes as its `Codable` form, with members in a fixed order.
    package let payload: [UInt8]
    /// The effects in order.
    package let effects: [Effect]

    /// Encodes a change.
    ///
    /// - Throws: ``EntryError`` if a number can't be represented in JSON.
    package init(_ change: Change) throws(EntryError) {
        do {
            effects = try change.effects.map { effect in
                switch effect {
                case .put(let record): .put(record.recordID, body: try CanonicalJSON.encode(record))
                case .remove(let id): .remove(id)
                }
            }
            var payload = Array(#"{"effects":["#.utf8)
            for (index, effect) in effects.enumerated() {
                if index > 0 { payload.append(UInt8(ascii: ",")) }
                switch effect {
                case .put(_, let body):
                    payload += #"{"put":"#.utf8
                    payload += body
                case .remove(let id):
                    payload += #"{"remove":{"id":"#.utf8
                    payload += try CanonicalJSON.literal(id.id)
                    payload += #","kind":"#.utf8
                    payload += try CanonicalJSON.literal(id.kind.rawValue)
                    payload.append(UInt8(ascii: "}"))
                }
                payload.append(UInt8(ascii: "}"))
            }
            let subjects = change.subjects.map { "\"\($0.uuidString)\"" }.joined(separator: ",")
            payload += #"],"subjects":["#.utf8
            payload += subjects.utf8
            payload += #"],"verb":"#.utf8
            payload += try CanonicalJSON.literal(change.verb.rawValue)
            payload.append(UInt8(ascii: "}"))
            self.payload = payload
        } catch {
            throw EntryError(.damaged, "The change \(change.verb.rawValue) can't be encoded: \(error).")
        }
    }
}
