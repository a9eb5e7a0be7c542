/// A state change of an entry. Effects are the only way in which state changes.
package enum Effect: Hashable, Sendable {
    /// Adds the record, or replaces the record with the same kind and ID.
    case put(Record)
    /// Removes the record, if it exists.
    case remove(RecordID)
}

extension Effect: Codable {
    private enum Key: String, CodingKey {
        case put
        case remove
    }

    /// Decodes an object with one member, `put` with a record or `remove` with a record ID.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.put) {
            self = .put(try container.decode(Record.self, forKey: .put))
        } else {
            self = .remove(try container.decode(RecordID.self, forKey: .remove))
        }
    }

    /// Encodes an object with one member.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .put(let record): try container.encode(record, forKey: .put)
        case .remove(let id): try container.encode(id, forKey: .remove)
        }
    }
}
