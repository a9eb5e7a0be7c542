/// The hubs that a device, or a hub, knows by their keys and believes: the one that it has joined, and those that a list
/// has put beside it or in its place.
///
/// It is a value without I/O. Store ``list`` durably before the new keys are used.
package struct PinnedHubs: Hashable, Sendable {
    /// What a list has changed.
    package struct Change: Hashable, Sendable {
        /// The keys that are pinned from now on.
        package var pinned: [PublicKey] = []
        /// The keys that aren't any longer.
        package var unpinned: [PublicKey] = []

        /// Creates a change; by default, of nothing.
        package init(pinned: [PublicKey] = [], unpinned: [PublicKey] = []) {
            self.pinned = pinned
            self.unpinned = unpinned
        }
    }

    /// The key of the hub that was joined.
    package let joined: PublicKey
    /// The last list that was taken; `nil` as long as there is one hub that has never made any.
    package private(set) var list: SignedHubList?

    /// Creates the state after a hub was joined.
    package init(joined: PublicKey) {
        self.joined = joined
    }

    /// Creates the state with a stored list, which was taken before.
    ///
    /// - Throws: ``HubListError`` if the list can't be read.
    package init(joined: PublicKey, list bytes: [UInt8]?) throws(HubListError) {
        self.joined = joined
        if let bytes { list = try SignedHubList(bytes) }
    }

    /// The pinned keys, one or two. Whoever has another isn't a hub of the homes.
    package var keys: [PublicKey] { list?.list.keys ?? [joined] }

    /// Returns whether a key is that of a hub of the homes.
    package func contains(_ key: PublicKey) -> Bool { keys.contains(key) }

    /// Takes a list: only one that a pinned hub has signed, with a larger number than the last one, and that keeps a hub
    /// that is pinned. The same list again changes nothing.
    ///
    /// - Throws: ``HubListError``; nothing has changed then.
    package mutating func take(_ bytes: [UInt8]) throws(HubListError) -> Change {
        if let list, list.bytes == bytes { return Change() }
        // The signature comes first, so that nobody else can have a later version believed, or cause an update.
        guard try SignedHubList.isSigned(bytes, byOneOf: keys) else { throw .forged }
        let new = try SignedHubList(bytes)
        if let list {
            guard new.list.sequence >= list.list.sequence else { throw .outdated }
            // Two signatures of one list are no fork.
            if new.list == list.list { return Change() }
            guard new.list.sequence > list.list.sequence else { throw .forked }
        }
        guard new.list.keys.contains(where: contains) else { throw .discontinuous }
        let change = Change(
            pinned: new.list.keys.filter { !contains($0) },
            unpinned: keys.filter { !new.list.keys.contains($0) }
        )
        list = new
        return change
    }

    /// Takes the lists of a chain, one after the other, up to the newest one. Lists that are known, and those that lead to a hub
    /// that is pinned already, are passed over. The same chain again changes nothing.
    ///
    /// - Throws: ``HubListError`` if the newest list isn't reached, or isn't the newest; nothing has changed then.
    package mutating func take(_ chain: HubListChain) throws(HubListError) -> Change {
        var new = self
        for signed in chain.lists {
            do throws(HubListError) {
                _ = try new.take(signed.bytes)
            } catch {
                guard error.code == .forged || error.code == .outdated else { throw error }
            }
        }
        guard let list = new.list?.list else { throw .forged }
        guard list.sequence <= chain.newest.list.sequence else { throw .outdated }
        guard list == chain.newest.list else { throw .forged }
        let change = Change(
            pinned: new.keys.filter { !contains($0) },
            unpinned: keys.filter { !new.contains($0) }
        )
        self = new
        return change
    }
}
