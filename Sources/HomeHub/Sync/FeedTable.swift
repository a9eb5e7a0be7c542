import Foundation
import HomeIdentity
import HomeModel
import Synchronization

/// The devices that may read each person's feed, and the writers that must know them.
///
/// It follows the stored changes, before any session hears of them. So a writer knows that a device was removed before it gets a
/// change that the device must not read.
final class FeedTable: Sendable {
    // This is a class because the activity stream and the feeds share it.

    private struct State {
        var devices: [UUID: [UUID: FeedReaderDevice]] = [:]
        var writers: [UUID: FeedWriter] = [:]
        /// The person whose devices may read the vault; `nil` for nobody.
        var vaultReader: UUID?
        /// The persons who may use a home from away, in at least one of their homes.
        var away: Set<UUID> = []
        /// Whose each feed is.
        var users: [FeedID: UUID] = [:]

        /// Sets the devices of a person.
        mutating func set(_ devices: [UUID: FeedReaderDevice], of user: UUID) {
            self.devices[user] = devices.mapValues { device in
                var device = device
                device.access.hasVault = user == vaultReader
                device.access.hasPipe = away.contains(user)
                return device
            }
            writers[user]?.setDevices(self.devices[user] ?? [:])
        }

        /// Sets whether a person may use a home from away. Returns whether that is news.
        mutating func setAway(_ isAway: Bool, _ user: UUID) -> Bool {
            isAway ? away.insert(user).inserted : away.remove(user) != nil
        }
    }

    private let state: Mutex<State>
    /// The persons whose devices have changed.
    let changes: AsyncStream<UUID>
    private let change: AsyncStream<UUID>.Continuation

    /// - Parameter stored: What is stored of the persons and their homes.
    init(_ stored: HomeDatabase.State) {
        var state = State()
        for account in stored.accounts.values {
            _ = state.setAway(stored.mayBeAway(account.user), account.user)
            state.set(account.feedReaders, of: account.user)
        }
        self.state = Mutex(state)
        (changes, change) = AsyncStream.makeStream()
    }

    /// Follows a stored change.
    func handle(_ activity: Activity) {
        guard case .stored(let request) = activity else { return }
        for entry in request.entries {
            switch entry.draft.log {
            case .account(let user):
                guard entry.draft.change.concernsDevices else { continue }
                let (devices, isAway) = (request.state.account(of: user).feedReaders, request.state.mayBeAway(user))
                state.withLock { state in
                    _ = state.setAway(isAway, user)
                    state.set(devices, of: user)
                }
                change.yield(user)
            case .home: break
            }
        }
        guard request.removedHome != nil || request.entries.contains(where: { $0.draft.change.concernsUsers }) else {
            return
        }
        state.withLock { state in
            for (user, devices) in state.devices where state.setAway(request.state.mayBeAway(user), user) {
                state.set(devices, of: user)
            }
        }
    }

    /// Sets the feeds, by person.
    func setFeeds(_ feeds: [UUID: FeedID]) {
        let users = feeds.map { ($0.value, $0.key) }
        state.withLock { $0.users = Dictionary(users) { first, _ in first } }
    }

    /// Returns whose a feed is; `nil` if it is nobody's any more.
    func user(of feed: FeedID) -> UUID? { state.withLock { $0.users[feed] } }

    /// Sets the person whose devices may read the vault; `nil` for nobody.
    func setVaultReader(_ user: UUID?) {
        state.withLock { state in
            let former = state.vaultReader
            state.vaultReader = user
            for user in Set([former, user].compactMap(\.self)) { state.set(state.devices[user] ?? [:], of: user) }
        }
    }

    /// Returns a person's devices, by ID.
    func devices(of user: UUID) -> [UUID: FeedReaderDevice] { state.withLock { $0.devices[user] ?? [:] } }

    /// Sets the writer of a person's feed, and gives it the devices from now on; `nil` for none.
    func set(_ writer: FeedWriter?, of user: UUID) {
        state.withLock { state in
            state.writers[user] = writer
            writer?.setDevices(state.devices[user] ?? [:])
        }
    }

    /// Returns the writer of a person's feed; `nil` if there is none.
    func writer(of user: UUID) -> FeedWriter? { state.withLock { $0.writers[user] } }

    /// Ends the stream.
    func finish() { change.finish() }
}

extension Change {
    /// Whether the change puts or removes users of a home.
    fileprivate var concernsUsers: Bool {
        effects.contains { effect in
            switch effect {
            case .put(.user): true
            case .put: false
            case .remove(let id): id.kind == .user
            }
        }
    }
}
