import Foundation
import HashTreeCollections

/// Which accessories have a property (a room, a bridge, a server, a shape), kept up to date at every change.
struct IdentityIndex<Key: Hashable & Sendable>: Sendable {
    private var members: TreeDictionary<Key, TreeSet<UUID>> = [:]

    /// The identities under a key, in no order.
    subscript(key: Key) -> TreeSet<UUID> { members[key] ?? [] }

    /// How many there are under a key.
    func count(_ key: Key) -> Int { members[key]?.count ?? 0 }

    mutating func insert(_ id: UUID, under key: Key) {
        members[key, default: []].insert(id)
    }

    mutating func remove(_ id: UUID, under key: Key) {
        members[key]?.remove(id)
        if members[key]?.isEmpty == true { members[key] = nil }
    }
}
