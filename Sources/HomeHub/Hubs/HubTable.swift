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

    let store: HomeStore
    private let own: PublicKey
    /// This hub's name.
    nonisolated let ownName: String
    let state: Mutex<State>
    /// The list that is being stored.
    private var taking: Task<Void, any Error>?

    struct State {
        var pinned: PinnedHubs
        /// The lists before the last one, as many as fit into a chain.
        var formerLists: [SignedHubList] = []
        var observers: [@Sendable ([HubMember]) -> Void] = []
        /// Where this hub listens.
        var ownAddresses: [HubAddress] = []
        /// Where the other hub was last.
        var otherAddresses: [HubAddress] = []
        /// What a hub beside this one has told of itself.
        var otherHub: OtherHub?
        /// The hubs that were removed and haven't been told.
        var formerHubs: [FormerHub] = []
    }

    private init(_ pinned: PinnedHubs, own: PublicKey, name: String, store: HomeStore) {
        state = Mutex(State(pinned: pinned))
        self.own = own
        ownName = name
        self.store = store
    }

    /// Reads the stored list.
    ///
    /// - Parameter own: This hub's key.
    /// - Throws: ``HubAPI/HubError`` if the list can't be read.
    static func load(from store: HomeStore, own: PublicKey) async throws -> HubTable {
        let bytes = try await store.metadata(.hubs).map { Array($0.utf8) }
        let lists = try await store.metadata(.hubLists)
        let name = try await store.metadata(.hubName) ?? ProcessInfo.processInfo.hostName
        let addresses = try await store.metadata(.hubAddresses)
        let other = try await store.metadata(.otherHub)
        let former = try await store.metadata(.formerHubs)
        do throws(HubListError) {
            let table = HubTable(try PinnedHubs(joined: own, list: bytes), own: own, name: name, store: store)
            table.state.withLock { state in
                // Without them, devices that missed a list must meet a hub that they know.
                let chain = lists.flatMap { try? HubListChain(Array($0.utf8)) }
                state.formerLists = chain?.lists ?? []
                let known = addresses.flatMap { LineJSON.decode([HubAddress].self, from: Array($0.utf8)) }
                state.otherAddresses = known ?? []
                state.otherHub = other.flatMap { LineJSON.decode(OtherHub.self, from: Array($0.utf8)) }
                state.formerHubs = former.flatMap { LineJSON.decode([FormerHub].self, from: Array($0.utf8)) } ?? []
            }
            return table
        } catch {
            throw HubError(.storeFailure, "The stored list of hubs is damaged: \(error) Restore a backup.")
        }
    }

    /// The last list; `nil` as long as this hub was alone.
    nonisolated var list: SignedHubList? { state.withLock { $0.pinned.list } }

    /// The last list and those before it, as many as fit; `nil` as long as this hub was alone.
    nonisolated var chain: HubListChain? {
        state.withLock { state in state.pinned.list.map { HubListChain($0, after: state.formerLists) } }
    }

    /// Stores lists before the last one that the other hub knows. Devices that missed them believe each for its signature.
    func learn(_ former: HubListChain) async {
        while let taking { _ = await taking.result }
        guard let chain, let list else { return }
        let all = HubListChain(list, after: chain.lists + former.lists)
        guard all != chain else { return }
        // The other hub tells them again whenever it connects.
        guard (try? await store.setMetadata(String(decoding: all.bytes, as: UTF8.self), for: .hubLists)) != nil else {
            return
        }
        state.withLock { $0.formerLists = all.lists }
    }

    /// The other hubs in the list.
    nonisolated var others: [HubMember] { list?.list.members.filter { $0.key != own } ?? [] }

    /// Whether a list no longer has this hub, so that it may not control anything.
    nonisolated var hasLeft: Bool { list.map { $0.list.member(with: own) == nil } ?? false }

    /// Whether this hub is in a list with another one.
    nonisolated var isPaired: Bool { !others.isEmpty && list?.list.member(with: own) != nil }

    /// Whether another hub may want to connect.
    nonisolated var awaitsHub: Bool { isPaired || !formerHubs.isEmpty }

    /// Calls a closure with the hubs in the list, in order, now and after each change of them or of the former hubs; none as
    /// long as this hub is alone.
    ///
    /// - Parameter observer: A closure that returns quickly.
    nonisolated func onChange(_ observer: @escaping @Sendable ([HubMember]) -> Void) {
        let members = state.withLock { state in
            state.observers.append(observer)
            return state.pinned.list?.list.members ?? []
        }
        observer(members)
    }

    /// Returns whether a key is that of another hub in the list, or of a former one that hasn't been told.
    nonisolated func isHub(_ key: PublicKey) -> Bool {
        others.contains { $0.key == key } || formerHubs.contains { $0.member.key == key }
    }

    /// Takes a list that this hub or the other one has signed, and stores it.
    ///
    /// - Returns: The hubs that came and went.
    /// - Throws: ``HubAPI/HubError`` with the code of the ``HomeIdentity/HubListError``, or `storeFailure`; nothing has changed
    ///   then.
    @discardableResult
    func take(_ bytes: [UInt8]) async throws(HubError) -> PinnedHubs.Change {
        try await take(bytes, tellingRemoved: true)
    }

    private func take(_ bytes: [UInt8], tellingRemoved isTold: Bool) async throws(HubError) -> PinnedHubs.Change {
        while let taking { _ = await taking.result }
        var pinned = state.withLock { $0.pinned }
        let change: PinnedHubs.Change
        do throws(HubListError) {
            change = try pinned.take(bytes)
        } catch {
            throw HubError(HubError.Code(rawValue: error.code.rawValue), error.message)
        }
        try await keep(pinned, tellingRemoved: isTold)
        return change
    }

    /// Stores the first list of a hub that joins another one, which has signed it.
    ///
    /// - Throws: As ``take(_:)`` does, and `malformed` if this hub isn't in the list.
    func adopt(_ list: SignedHubList, from hub: PublicKey) async throws(HubError) {
        while let taking { _ = await taking.result }
        var pinned = PinnedHubs(joined: hub)
        do throws(HubListError) {
            _ = try pinned.take(list.bytes)
            guard list.list.member(with: own) != nil else { throw .notMember }
            pinned = try PinnedHubs(joined: own, list: list.bytes)
        } catch {
            throw HubError(HubError.Code(rawValue: error.code.rawValue), error.message)
        }
        try await keep(pinned)
    }

    private func keep(_ stored: PinnedHubs, tellingRemoved isTold: Bool = true) async throws(HubError) {
        guard let list = stored.list else { return }
        let former = isTold ? formerHubs(after: list, asHub: own) : formerHubs
        let chain = HubListChain(list, after: self.chain?.lists ?? [])
        let task = Task { [store] in
            // It comes first: a former hub that isn't known couldn't be told.
            try await setFormerHubs(former)
            try await store.setMetadata(String(decoding: chain.bytes, as: UTF8.self), for: .hubLists)
            try await store.setMetadata(String(decoding: list.bytes, as: UTF8.self), for: .hubs)
            let observers = state.withLock { state in
                state.pinned = stored
                state.formerLists = chain.lists
                return state.observers
            }
            for observer in observers { observer(list.list.members) }
        }
        taking = task
        defer { taking = nil }
        do {
            try await task.value
        } catch {
            throw HubError(.storeFailure, "The list of hubs could not be stored: \(error)")
        }
    }

    // MARK: Addresses

    /// Where this hub listens, the best first; empty while it doesn't.
    nonisolated var ownAddresses: [HubAddress] {
        get { state.withLock { $0.ownAddresses } }
        set { state.withLock { $0.ownAddresses = newValue } }
    }

    /// Where the other hub was last, the best first. It is a hint: whoever is there proves its key.
    nonisolated var otherAddresses: [HubAddress] { state.withLock { $0.otherAddresses } }

    /// Stores where the other hub is.
    func setOtherAddresses(_ addresses: [HubAddress]) async {
        guard !addresses.isEmpty, addresses != otherAddresses else { return }
        state.withLock { $0.otherAddresses = addresses }
        // Without them, the hub is found by multicast DNS.
        try? await store.setMetadata(String(decoding: LineJSON.encode(addresses), as: UTF8.self), for: .hubAddresses)
    }

    // MARK: What the other hub tells

    /// What the other hub in the list has told of itself; `nil` if it hasn't, or if there is none.
    nonisolated var otherHub: OtherHub? {
        guard let other = others.first else { return nil }
        return state.withLock { $0.otherHub?.id == other.id ? $0.otherHub : nil }
    }

    /// The other hub's name.
    nonisolated var otherName: String { otherHub?.name ?? "the other hub" }

    /// Stores what the other hub has told of itself.
    ///
    /// - Returns: Whether it is new.
    func setOtherHub(_ other: OtherHub) async -> Bool {
        let isNew = state.withLock { state in
            defer { state.otherHub = other }
            return state.otherHub != other
        }
        // It tells again whenever it connects.
        guard isNew else { return false }
        try? await store.setMetadata(String(decoding: LineJSON.encode(other), as: UTF8.self), for: .otherHub)
        return true
    }

    // MARK: Changes by this hub

    /// Adds a hub, in a list that this hub signs.
    ///
    /// - Parameter founder: This hub, as it is in the first list.
    /// - Throws: ``HubAPI/HubError``, with `tooManyHubs` if there are two already; nothing has changed then.
    func add(_ member: HubMember, founder: HubMember, by key: IdentityKey) async throws(HubError) {
        try await change(by: key) { list throws(HubListError) in
            try (list ?? HubList(founder: founder)).adding(member)
        }
    }

    /// Removes a hub, in a list that this hub signs.
    ///
    /// - Parameter isTold: Whether the other hub is told. One that may have decided something meanwhile isn't: it would delete
    ///   that.
    /// - Throws: ``HubAPI/HubError``, with `notFound` if there is no such hub; nothing has changed then.
    func remove(_ id: UUID, by key: IdentityKey, telling isTold: Bool = true) async throws(HubError) {
        try await change(by: key, tellingRemoved: isTold) { list throws(HubListError) in
            guard let list else { throw .notMember }
            return try list.removing(id)
        }
    }

    private func change(
        by key: IdentityKey,
        tellingRemoved isTold: Bool = true,
        _ next: (HubList?) throws(HubListError) -> HubList
    ) async throws(HubError) {
        // Lists are made one after the other, or two would have one number.
        while let taking { _ = await taking.result }
        let new: HubList
        do throws(HubListError) {
            new = try next(list?.list)
        } catch {
            throw HubError(HubError.Code(rawValue: error.code.rawValue), error.message)
        }
        _ = try await take(SignedHubList(new, by: key).bytes, tellingRemoved: isTold)
    }
}
