import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import Synchronization

/// The keys of the hub's devices: those that may connect, those that wait to be confirmed, and those that were removed.
///
/// It follows the stored changes. The handshake of each connection reads it, on any thread, and sessions ask it when they
/// begin. It changes before a removal is told, so that no session begins after it.
final class DeviceTable: Sendable {
    // This is a class because the listener, the sessions and the parts of the hub share one table.

    /// A device that has a key.
    struct Known: Hashable, Sendable {
        var user: UUID
        var device: AccountDeviceRecord
    }

    fileprivate struct State {
        var records: [UUID: [AccountDeviceRecord]] = [:]
        var devices: [PublicKey: Known] = [:]
        var removed: [PublicKey: Date] = [:]
        var removedIDs: Set<UUID> = []
        /// The keys that wait for somebody to compare the digits.
        var pending: Set<PublicKey> = []
        /// The keys that waited and weren't let in, the latest last, and when that was. They are told so.
        var declined: [(key: PublicKey, time: Date)] = []
        var openInvitations = 0
        /// Whether another hub keeps the homes together with this one.
        var hasOtherHub = false
        var isNeeded = false
        /// Whether a listener follows what is needed.
        var isFollowed = false
        var needs: [AsyncStream<Bool>.Continuation] = []
        var removals: [@Sendable (Set<PublicKey>) -> Void] = []
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Date

    /// - Parameter accounts: The users' stored logs.
    init(_ accounts: some Sequence<Account>, now: @escaping @Sendable () -> Date) {
        var state = State()
        for account in accounts { state.set(account.devices + account.removedDevices, of: account.user) }
        state.isNeeded = state.mustListen
        self.state = Mutex(state)
        self.now = now
    }

    // MARK: Reading

    /// Returns what the hub knows of a key.
    func standing(of key: PublicKey) -> KeyStanding {
        state.withLock { state in
            if state.devices[key] != nil || state.pending.contains(key) { return .device }
            if let time = state.removed[key], now() < time.addingTimeInterval(Self.memory) { return .removed }
            if state.declined.contains(where: { $0.key == key }) { return .removed }
            return state.openInvitations > 0 ? .joining : .unknown
        }
    }

    /// Returns the device with a key; `nil` if there is none.
    func device(with key: PublicKey) -> Known? { state.withLock { $0.devices[key] } }

    /// Returns whether a key waits for somebody to compare the digits.
    func isPending(_ key: PublicKey) -> Bool { state.withLock { $0.pending.contains(key) } }

    /// Returns whether a key waited and wasn't let in, as far as it is remembered.
    func isDeclined(_ key: PublicKey) -> Bool { state.withLock { $0.declined.contains { $0.key == key } } }

    /// Returns whether a device was removed, as far as it is remembered.
    func isRemoved(_ device: UUID) -> Bool { state.withLock { $0.removedIDs.contains(device) } }

    /// The time for which removed devices are remembered.
    private static let memory = TimeInterval(HomeLimits.removedDeviceDays * 24 * 60 * 60)

    // MARK: Changes

    /// Follows a stored change.
    func handle(_ activity: Activity) {
        guard case .stored(let request) = activity else { return }
        let users = request.entries.compactMap { entry -> UUID? in
            guard case .account(let user) = entry.draft.log, entry.draft.change.concernsDevices else { return nil }
            return user
        }
        guard !users.isEmpty else { return }
        update { state in
            for user in Set(users) {
                let account = request.state.accounts[user]
                state.set((account?.devices ?? []) + (account?.removedDevices ?? []), of: user)
            }
        }
    }

    /// Sets the number of open invitations and the keys that wait. Those that waited until now and aren't devices weren't
    /// let in.
    func set(openInvitations count: Int, pending: Set<PublicKey>) {
        let time = now()
        update { state in
            state.openInvitations = count
            let declined = state.pending.subtracting(pending).filter { state.devices[$0] == nil }
            state.declined += declined.map { ($0, time) }
            state.declined.removeAll { entry in
                pending.contains(entry.key) || entry.time > time
                    || time.timeIntervalSince(entry.time) > TimeInterval(DeviceLimits.declinedMemory / .seconds(1))
            }
            state.declined.removeFirst(max(0, state.declined.count - DeviceLimits.declinedDevices))
            state.pending = pending
        }
    }

    /// Sets whether another hub keeps the homes together with this one, and may want to connect.
    func set(hasOtherHub: Bool) { update { $0.hasOtherHub = hasOtherHub } }

    private func update(_ body: (inout State) -> Void) {
        let (lost, observers) = state.withLock { state in
            let before = Set(state.devices.keys).union(state.pending)
            body(&state)
            let lost = before.subtracting(state.devices.keys).subtracting(state.pending)
            let isNeeded = state.mustListen
            if isNeeded != state.isNeeded {
                state.isNeeded = isNeeded
                for continuation in state.needs { continuation.yield(isNeeded) }
            }
            return (lost, state.removals)
        }
        guard !lost.isEmpty else { return }
        for observer in observers { observer(lost) }
    }

    // MARK: Observers

    /// Whether the hub must listen on the network: the current answer, and each later one.
    var needs: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.isFollowed = true
            continuation.yield(state.isNeeded)
            state.needs.append(continuation)
        }
        return stream
    }

    /// Whether a listener follows ``needs``.
    var isFollowed: Bool { state.withLock { $0.isFollowed } }

    /// Calls a closure with the keys that may no longer connect, in the step in which that becomes true.
    func onRemoval(_ observer: @escaping @Sendable (Set<PublicKey>) -> Void) {
        state.withLock { $0.removals.append(observer) }
    }

    /// Ends the streams.
    func finish() {
        let needs = state.withLock { state in
            defer { state.needs = [] }
            return state.needs
        }
        for continuation in needs { continuation.finish() }
    }
}

extension DeviceTable.State {
    /// Whether somebody may want to connect: a device, one that must be told that it was removed, one that is invited, or the
    /// other hub.
    var mustListen: Bool {
        !devices.isEmpty || !removed.isEmpty || !declined.isEmpty || openInvitations > 0 || hasOtherHub
    }

    /// Replaces the devices of a user.
    mutating func set(_ records: [AccountDeviceRecord], of user: UUID) {
        for old in self.records[user] ?? [] {
            removedIDs.remove(old.id)
            guard let key = old.publicKey else { continue }
            devices[key] = nil
            removed[key] = nil
        }
        self.records[user] = records.isEmpty ? nil : records
        for record in records {
            if record.removed != nil { removedIDs.insert(record.id) }
            guard let key = record.publicKey else { continue }
            if let time = record.removed {
                removed[key] = time
            } else {
                devices[key] = DeviceTable.Known(user: user, device: record)
            }
        }
        // A key that came back for another user isn't a removed one.
        for key in devices.keys { removed[key] = nil }
    }
}

extension AccountDeviceRecord {
    /// The key; `nil` for browsers.
    var publicKey: PublicKey? { key.flatMap { PublicKey($0) } }
}

extension Change {
    /// Whether the change puts or removes devices.
    var concernsDevices: Bool {
        effects.contains { effect in
            switch effect {
            case .put(.accountDevice): true
            case .put: false
            case .remove(let id): id.kind == .accountDevice
            }
        }
    }

    /// The devices that the change removes.
    var removedDevices: Set<UUID> {
        Set(
            effects.compactMap { effect in
                switch effect {
                case .put(.accountDevice(let device)): device.removed == nil ? nil : device.id
                case .put: nil
                case .remove(let id): id.kind == .accountDevice ? id.uuid : nil
                }
            }
        )
    }
}
