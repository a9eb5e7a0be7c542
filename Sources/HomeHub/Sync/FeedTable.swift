import Foundation
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

        /// Sets the devices of a person.
        mutating func set(_ devices: [UUID: FeedReaderDevice], of user: UUID) {
            self.devices[user] = devices.mapValues { device in
                var device = device
                device.access.hasVault = user == vaultReader
                return device
            }
            writers[user]?.setDevices(self.devices[user] ?? [:])
        }
    }

    private let state: Mutex<State>
    /// The persons whose devices have changed.
    let changes: AsyncStream<UUID>
    private let change: AsyncStream<UUID>.Continuation

    /// - Parameter accounts: The persons' stored logs.
    init(_ accounts: some Sequence<Account>) {
        let devices = accounts.map { ($0.user, $0.feedReaders) }
        state = Mutex(State(devices: Dictionary(uniqueKeysWithValues: devices)))
        (changes, change) = AsyncStream.makeStream()
    }

    /// Follows a stored change.
    func handle(_ activity: Activity) {
        guard case .stored(let request) = activity else { return }
        for entry in request.entries {
            guard case .account(let user) = entry.draft.log, entry.draft.change.concernsDevices else { continue }
            let devices = request.state.account(of: user).feedReaders
            state.withLock { $0.set(devices, of: user) }
            change.yield(user)
        }
    }

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
