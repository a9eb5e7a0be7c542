import Foundation
import HomeIdentity
import HomeStore
import Synchronization

/// The hubs that were removed while they were off. They are told when they are back.
extension HubTable {
    /// The hubs that were removed and haven't been told.
    nonisolated var formerHubs: [FormerHub] {
        state.withLock { state in
            let listed = state.pinned.list?.list
            return state.formerHubs.filter { listed?.member(with: $0.member.key) == nil }
        }
    }

    /// Returns the hubs that aren't told yet once a list counts.
    ///
    /// - Parameter own: This hub's key.
    func formerHubs(after list: SignedHubList, asHub own: PublicKey) -> [FormerHub] {
        // A hub that was removed itself leaves that to the one that goes on.
        guard list.list.member(with: own) != nil else { return [] }
        let members = self.list?.list.members ?? []
        let removed = others.filter { other in
            // One that has signed the list knows it.
            list.list.member(with: other.key) == nil && !list.isSigned(by: other.key)
        }
        let new = removed.map { member in
            FormerHub(
                member: member,
                name: otherName,
                list: Data(list.bytes),
                connects: members.last?.key == own,
                addresses: otherAddresses
            )
        }
        return Array((formerHubs + new).suffix(FormerHub.maximumCount))
    }

    /// Stores which hubs haven't been told.
    func setFormerHubs(_ hubs: [FormerHub]) async throws(StoreError) {
        guard state.withLock({ $0.formerHubs != hubs }) else { return }
        let text = hubs.isEmpty ? nil : String(decoding: LineJSON.encode(hubs), as: UTF8.self)
        try await store.setMetadata(text, for: .formerHubs)
        state.withLock { $0.formerHubs = hubs }
    }

    /// Forgets a former hub: it was told, or never can be.
    func forget(_ hub: FormerHub) async throws(StoreError) {
        try await setFormerHubs(state.withLock { $0.formerHubs }.filter { $0.member != hub.member })
        let (observers, members) = state.withLock { ($0.observers, $0.pinned.list?.list.members ?? []) }
        for observer in observers { observer(members) }
    }
}
