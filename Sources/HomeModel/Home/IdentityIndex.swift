import HashTreeCollections

/// What has a property (which accessories are in a room, what refers to an accessory), kept up to date at every change.
struct IdentityIndex<Key: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
    private var members: TreeDictionary<Key, TreeSet<Member>> = [:]

    /// The members under a key, in no order.
    subscript(key: Key) -> TreeSet<Member> { members[key] ?? [] }

    /// How many there are under a key.
    func count(_ key: Key) -> Int { members[key]?.count ?? 0 }

    mutating func insert(_ member: Member, under key: Key) {
        members[key, default: []].insert(member)
    }

    mutating func remove(_ member: Member, under key: Key) {
        members[key]?.remove(member)
        if members[key]?.isEmpty == true { members[key] = nil }
    }
}
