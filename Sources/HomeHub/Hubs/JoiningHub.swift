package import Foundation
package import HomeIdentity
import HomeModel
import HomeStore
package import HubAPI
import Synchronization

/// A data folder whose hub is joining another one, to keep its homes together with it. No hub runs on the folder meanwhile.
///
/// The keys and what the other hub has answered are stored, so joining can be interrupted at any time and go on.
package final class JoiningHub: Sendable {
    // This is a class because it owns the open folder.

    private let store: HomeStore
    private let table: HubTable
    /// The data folder, which only the owner can read.
    package var folder: URL { store.directory }
    /// The key by which the other hub knows this one.
    package let identity: IdentityKey
    private let box: BoxKey
    /// Where joining goes on; `nil` if it hasn't begun.
    package let pending: PendingJoin?
    /// Whether this hub has joined another one already, and can run.
    package let hasJoined: Bool
    /// The list that counts once the state is there.
    private let list = Mutex<SignedHubList?>(nil)

    private init(store: HomeStore, table: HubTable, identity: IdentityKey) async throws {
        (self.store, self.table, self.identity) = (store, table, identity)
        box = try await HubIdentity.box(in: store)
        pending = try await PendingJoin.load(from: store)
        hasJoined = table.list?.list.members.last?.key == identity.publicKey && table.isPaired
        // Until this hub is in the list, its homes are a part of those that it gets.
        let isEmpty = try await store.logs().isEmpty
        guard hasJoined || table.list == nil && (isEmpty || pending != nil) else {
            let reason = "The hub in \(store.directory.path) has homes already, so it can't join another one."
            throw HubError(.hubNotEmpty, "\(reason) Choose an empty folder with --data.")
        }
    }

    /// Opens a data folder, which is created if it doesn't exist.
    ///
    /// - Throws: ``HubAPI/HubError`` with `hubNotEmpty` if the folder has homes or users, or is in a list of hubs; and what the
    ///   store throws.
    package static func open(_ folder: URL) async throws -> JoiningHub {
        let store = try await HomeStore.open(at: folder)
        do {
            let identity = try await HubIdentity.load(from: store)
            let table = try await HubTable.load(from: store, own: identity.publicKey)
            return try await JoiningHub(store: store, table: table, identity: identity)
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// What this hub tells of itself as it joins.
    ///
    /// - Parameter name: The hub's name.
    package func request(as name: String) -> JoinRequest { JoinRequest(hub: name, box: box.publicBox) }

    /// Stores that the other hub has answered, and this hub's name.
    package func begin(_ pending: PendingJoin, as name: String) async throws {
        try await store.setMetadata(Account.deviceName(name), for: .hubName)
        try await pending.save(in: store)
    }

    /// Forgets the other hub, which hasn't let this one in.
    package func giveUp() async throws { try await store.setMetadata(nil, for: .joining) }

    /// Takes what the other hub tells of itself once it has let this one in: the signed list, which makes this hub one of
    /// the two.
    ///
    /// - Parameters:
    ///   - introduction: What it has told.
    ///   - hub: Its key.
    ///   - reply: Its answer to the request to join.
    /// - Returns: Whether this hub is in the list.
    package func take(introduction: [UInt8], of hub: PublicKey, after reply: JoinReply) async throws -> Bool {
        guard let introduction = HubIntroduction(introduction), let bytes = introduction.list.map({ Array($0) }) else {
            return false
        }
        let list: SignedHubList
        do throws(HubListError) {
            list = try SignedHubList(bytes)
        } catch {
            throw HubError(HubError.Code(rawValue: error.code.rawValue), error.message)
        }
        guard let member = list.list.member(with: identity.publicKey) else { return false }
        guard member.id == reply.device, member.box == box.publicBox else {
            throw HubError(.hubFailure, "The other hub's list has another ID or box of this hub. Join again.")
        }
        // The other hub is one of two once it has keys, and can send its state then.
        guard let keys = introduction.batchKeys else { return false }
        try await HubBatchKeys.store(keys, in: store)
        // Both hubs act as the same user, each as a device of its own.
        try await store.setMetadata(reply.user.uuidString, for: .hubUser)
        try await store.setMetadata(reply.device.uuidString, for: .hubDevice)
        await table.setOtherAddresses(introduction.addresses)
        self.list.withLock { $0 = list }
        return true
    }

    /// Installs the other hub's whole state, which makes this hub one of the two.
    package func install(_ base: URL, of hub: PublicKey) async throws {
        guard let list = list.withLock({ $0 }) else { return }
        _ = try await store.installBase(from: base)
        try await table.adopt(list, from: hub)
        try await store.setMetadata(nil, for: .joining)
    }

    /// Closes the folder, so that a hub can run on it.
    package func close() async throws { try await store.close() }
}

extension HubError.Code {
    /// A hub with homes can't join another one.
    package static let hubNotEmpty = Self(rawValue: "hubNotEmpty")
}
