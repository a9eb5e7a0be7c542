package import Foundation
import HAP

/// What an agent needs to show the homes of a feed to apps: the person's user ID, and the homes' alias keys. Its JSON is that of the
/// reply to `agent.homeKeys`. Printing it doesn't reveal the keys.
package struct FeedHomeKeys: Hashable, Sendable, Redacted {
    /// The person's own user ID.
    package var user: UUID
    /// The alias key of each home, by the home's ID.
    package var keys: [UUID: Data]

    /// Creates the keys.
    package init(user: UUID, keys: [UUID: Data]) {
        self.user = user
        self.keys = keys
    }
}

extension FeedHomeKeys: Decodable {
    private enum Key: String, CodingKey {
        case user, keys
    }

    /// Decodes the keys.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        user = try container.decode(UUID.self, forKey: .user)
        keys = [:]
        for (name, key) in try container.decode([String: Data].self, forKey: .keys) {
            guard let id = UUID(uuidString: name), keys.updateValue(key, forKey: id) == nil else {
                let reason = "A home's ID isn't a UUID, or appears twice."
                throw DecodingError.dataCorruptedError(forKey: .keys, in: container, debugDescription: reason)
            }
        }
    }

    /// Writes the keys; those of the homes become an object with the homes' IDs as keys, in their order.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("keys")
            writer.object { writer in
                for (home, key) in keys.map({ ($0.uuidString, $1) }).sorted(by: { $0.0 < $1.0 }) {
                    writer.member(home, key.base64EncodedString())
                }
            }
            writer.member("user", user.uuidString)
        }
    }
}
