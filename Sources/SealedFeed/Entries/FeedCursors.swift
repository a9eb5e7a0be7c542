package import Foundation
import HAP

/// The position in each of the hub's logs that a reader has with a content. Its JSON is that of `seen` in `session.hello`.
package struct FeedCursors: Hashable, Sendable {
    /// A position in a log.
    package struct Cursor: Hashable, Sendable, Codable {
        /// The log's lineage, which changes when the log is restored from a copy.
        package var lineage: UUID
        /// The revision of the last entry.
        package var revision: Int

        /// Creates a position.
        package init(lineage: UUID, revision: Int) {
            self.lineage = lineage
            self.revision = revision
        }

        /// Returns whether a position isn't before another one. Those of different lineages can't be compared.
        fileprivate func follows(_ other: Cursor) -> Bool {
            lineage != other.lineage || revision >= other.revision
        }
    }

    /// The position in the person's own log.
    package var account: Cursor
    /// The position in each home's log.
    package var homes: [UUID: Cursor]

    /// Creates cursors from positions.
    package init(account: Cursor, homes: [UUID: Cursor]) {
        self.account = account
        self.homes = homes
    }

    /// Returns whether no log is before its position in other cursors.
    package func follow(_ other: FeedCursors) -> Bool {
        account.follows(other.account)
            && homes.allSatisfy { id, cursor in other.homes[id].map(cursor.follows) ?? true }
    }
}

extension FeedCursors: Codable {
    private enum Key: String, CodingKey {
        case account, homes
    }

    /// Decodes cursors.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        account = try container.decode(Cursor.self, forKey: .account)
        homes = [:]
        for (key, cursor) in try container.decode([String: Cursor].self, forKey: .homes) {
            guard let id = UUID(uuidString: key), homes.updateValue(cursor, forKey: id) == nil else {
                let reason = "A home's ID isn't a UUID, or appears twice."
                throw DecodingError.dataCorruptedError(forKey: .homes, in: container, debugDescription: reason)
            }
        }
    }

    /// Encodes the cursors; the homes' cursors become an object with their IDs as keys.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(account, forKey: .account)
        let homes = Dictionary(uniqueKeysWithValues: homes.map { ($0.uuidString, $1) })
        try container.encode(homes, forKey: .homes)
    }
}

extension FeedCursors {
    /// Writes the same JSON as encoding does, with the homes in the order of their IDs. Each entry has a position, and encoding one
    /// costs as much as signing it.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("account")
            account.write(to: &writer)
            writer.key("homes")
            writer.object { writer in
                for (home, cursor) in homes.map({ ($0.uuidString, $1) }).sorted(by: { $0.0 < $1.0 }) {
                    writer.key(home)
                    cursor.write(to: &writer)
                }
            }
        }
    }
}

extension FeedCursors.Cursor {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("lineage", lineage.uuidString)
            writer.member("revision", revision)
        }
    }
}
