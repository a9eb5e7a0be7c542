package import Foundation
package import HAPCatalog

/// An action of an action set.
package struct Action: Hashable, Sendable, Identifiable {
    /// The operation of an action. A kind that this version does not know is preserved and not carried out.
    package enum Operation: Hashable, Sendable {
        /// Writes a value to a characteristic.
        case write(CharacteristicIdentity, CharacteristicValue)
        /// An operation of a newer version: the whole action, as it was decoded.
        case unknown(JSONValue)
    }

    /// The action's ID: random, and in one action set only.
    package var id: UUID
    /// The operation.
    package var operation: Operation

    /// Creates an action.
    package init(id: UUID, operation: Operation) {
        self.id = id
        self.operation = operation
    }

    /// The characteristic to write; `nil` for other operations.
    package var characteristic: CharacteristicIdentity? {
        guard case .write(let characteristic, _) = operation else { return nil }
        return characteristic
    }
}

extension Action: Codable {
    private enum Key: String, CodingKey {
        case id, write
    }

    private struct Write: Codable {
        var characteristic: CharacteristicIdentity
        var value: CharacteristicValue
    }

    /// Decodes an object with an `id` and a member that names the operation.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(UUID.self, forKey: .id)
        if let write = try container.decodeIfPresent(Write.self, forKey: .write) {
            operation = .write(write.characteristic, write.value)
        } else {
            operation = .unknown(try JSONValue(from: decoder))
        }
    }

    /// Encodes the object.
    package func encode(to encoder: any Encoder) throws {
        if case .unknown(let body) = operation { return try body.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        if case .write(let characteristic, let value) = operation {
            try container.encode(Write(characteristic: characteristic, value: value), forKey: .write)
        }
    }
}
