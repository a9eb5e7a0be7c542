import Foundation
import HomeIdentity
import HomeStore
import HubAPI
import Synchronization

/// The hubs that keep the homes: this one, and the one that a signed list has put beside it.
///
/// The handshake of each connection asks it, on any thread. A list is on the disk before it counts.
actor HubTable {
    // This is an actor because lists are stored one after the other.

    private let store: HomeStore
    private let own: PublicKey
    private let state: Mutex<PinnedHubs>
    /// The list that is being stored.
    private var taking: Task<Void, any Error>?

    private init(_ pinned: PinnedHubs, own: PublicKey, store: HomeStore) {
        state = Mutex(pinned)
        self.own = own
        self.store = store
    }

    /// Reads the stored list.
    ///
    /// - Parameter own: This hub's key.
    /// - Throws: ``HubAPI/HubError`` if the list can't be read.
    static func load(from store: HomeStore, own: PublicKey) async throws -> HubTable {
        let bytes = try await store.metadata(.hubs).map { Array($0.utf8) }
        do throws(HubListError) {
            return HubTable(try PinnedHubs(joined: own, list: bytes), own: own, store: store)
        } catch {
            throw HubError(.storeFailure, "The stored list of hubs is damaged: \(error) Restore a backup.")
        }
    }

    /// The last list; `nil` as long as this hub was alone.
    nonisolated var list: SignedHubList? { state.withLock { $0.list } }

    /// The other hubs in the list.
    nonisolated var others: [HubMember] { list?.list.members.filter { $0.key != own } ?? [] }

    /// Returns whether a key is that of another hub in the list.
    nonisolated func isOther(_ key: PublicKey) -> Bool { others.contains { $0.key == key } }

    /// Takes a list that this hub or the other one has signed, and stores it.
    ///
    /// - Returns: The hubs that came and went.
    /// - Throws: ``HubAPI/HubError`` with the code of the ``HomeIdentity/HubListError``, or `storeFailure`; nothing has changed
    ///   then.
    @discardableResult
    func take(_ bytes: [UInt8]) async throws(HubError) -> PinnedHubs.Change {
        while let taking { _ = await taking.result }
        var pinned = state.withLock { $0 }
        let change: PinnedHubs.Change
        do throws(HubListError) {
            change = try pinned.take(bytes)
        } catch {
            throw HubError(HubError.Code(rawValue: error.code.rawValue), error.message)
        }
        guard let list = pinned.list else { return change }
        let stored = pinned
        let task = Task { [store] in
            try await store.setMetadata(String(decoding: list.bytes, as: UTF8.self), for: .hubs)
            state.withLock { $0 = stored }
        }
        taking = task
        defer { taking = nil }
        do {
            try await task.value
        } catch {
            throw HubError(.storeFailure, "The list of hubs could not be stored: \(error)")
        }
        return change
    }
}
