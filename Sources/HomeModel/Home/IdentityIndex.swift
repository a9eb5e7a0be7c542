import HashTreeCollections

/// An index of objects by a property, such as the accessories by room, kept up to date at every change.
struct IdentityIndex<Key: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
    private var members: TreeDictionary<Key, TreeSet<Member>> = [:]

    /// The members with a key, in no particular order.
    subscript(key: Key) -> TreeSet<Member> { members[key] ?? [] }

    /// Returns the number of members with a key.
    func count(_ key: Key) -> Int { members[key]?.count ?? 0 }

    mutating func insert(_ member: Member, under key: Key) {
        members[key, default: []].insert(member)
    }

    mutating func remove(_ member: Member, under key: Key) {
        members[key]?.remove(member)
        if members[key]?.isEmpty == true { members[key] = nil }
    }
}
