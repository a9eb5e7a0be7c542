import Foundation
import HAP
import HAPClient
import HomeModel
import Logging

/// Recovers from pairings whose key exchange was interrupted.
///
/// The accessory may hold the home's pairing, so that no controller can pair it. The hub withdraws the pairing as soon
/// as the accessory is reachable, now or after a later start, even if the home was removed in the meantime.
///
/// The vault stores a note before each pairing and deletes it afterwards. Recovery does nothing else to an accessory,
/// and never touches an accessory with which the home has a pairing.
actor PairingRecovery {
    private struct Key: Hashable {
        var home: UUID
        var name: String

        init(_ pending: PendingPairing, in home: UUID) {
            self.home = home
            name = pending.name
        }
    }

    private struct Entry {
        var pending: PendingPairing
        /// The identity under which the accessory may know the home.
        let controller: ControllerIdentity
        /// The attempt in progress, or the wait for the next one.
        var task: Task<Void, Never>?
        var failures = 0
    }

    /// The delays after failed attempts, from the first to the longest.
    private static let delays = Duration.seconds(5)...Duration.seconds(600)
    private static let doublings = 10

    private let vault: PairingVault
    private let pairer: AccessoryPairer
    private let log: Logger
    private var entries: [Key: Entry] = [:]
    /// The pairings for which an attempt is in progress.
    private var reserved: Set<Key> = []
    private var isStopped = false

    init(vault: PairingVault, pairer: AccessoryPairer, log: Logger) {
        self.vault = vault
        self.pairer = pairer
        self.log = log
    }

    /// Starts recovering all interrupted pairings, including the pairings of removed homes.
    func start(homes: [UUID]) async throws {
        for home in homes { try await vault.detachNotes(of: home) }
        for note in try await vault.unfinished() {
            if let controller = note.controller.identity { resume(note.pending, in: note.home, as: controller) }
        }
    }

    /// Stops all attempts. The notes stay in the vault.
    func stop() async {
        isStopped = true
        let ending = entries.values.compactMap(\.task)
        entries = [:]
        for task in ending {
            task.cancel()
            await task.value
        }
    }

    /// Records an accessory's addresses, and attempts to recover its pairing immediately.
    func update(_ deviceID: DeviceID, to addresses: [AccessoryAddress]) {
        for (key, entry) in entries where entry.pending.deviceID == deviceID {
            entries[key]?.pending.addresses = addresses
            recoverNow(key)
        }
    }

    /// Attempts the recovery of a removed home's interrupted pairings immediately.
    func recoverNow(home: UUID) {
        for key in entries.keys where key.home == home { recoverNow(key) }
    }

    private func recoverNow(_ key: Key) {
        guard let entry = entries[key], entry.failures > 0 else { return }
        entry.task?.cancel()
        entries[key]?.failures = 0
        schedule(key, after: entry.task)
    }

    // MARK: Reservations

    /// Reserves a pairing for an attempt to pair the accessory.
    ///
    /// No recovery is in progress when this returns. None starts before ``release(_:in:)`` or ``resume(_:in:as:)``;
    /// call one of them when the attempt ends.
    ///
    /// - Returns: `false` if another attempt is in progress.
    func reserve(_ pending: PendingPairing, in home: UUID) async -> Bool {
        let key = Key(pending, in: home)
        guard reserved.insert(key).inserted else { return false }
        if let entry = entries.removeValue(forKey: key) {
            entry.task?.cancel()
            await entry.task?.value
        }
        return true
    }

    /// Ends a reservation whose pairing needs no recovery.
    func release(_ pending: PendingPairing, in home: UUID) {
        reserved.remove(Key(pending, in: home))
    }

    /// Ends a reservation, and starts recovering its pairing.
    func resume(_ pending: PendingPairing, in home: UUID, as controller: ControllerIdentity) {
        let key = Key(pending, in: home)
        reserved.remove(key)
        guard !isStopped, entries[key] == nil else { return }
        entries[key] = Entry(pending: pending, controller: controller)
        schedule(key, after: nil)
    }

    /// Attempts once to withdraw a pairing, and returns whether that succeeded.
    ///
    /// Asks any accessory that answers at the note's addresses: the accessory received the home's key there.
    func recover(_ pending: PendingPairing, in home: UUID, as controller: ControllerIdentity) async -> Bool {
        await recover(pending, from: nil, in: home, as: controller)
    }

    // MARK: Attempts

    private func recover(
        _ pending: PendingPairing,
        from deviceID: DeviceID?,
        in home: UUID,
        as controller: ControllerIdentity
    ) async -> Bool {
        do {
            let protected = pending.protectedDevices(among: try await vault.pairings(of: home))
            if let deviceID = pending.deviceID, protected.contains(deviceID) {
                // The pairing has been stored since, so there is nothing to withdraw.
                try await vault.deleteNote(of: pending, in: home)
                return true
            }
            let outcome = try await pairer.withdraw(
                controller,
                from: deviceID,
                excluding: protected,
                at: pending.addresses
            )
            try await vault.deleteNote(of: pending, in: home)
            let result = outcome == .withdrawn ? "it was withdrawn" : "the accessory doesn't hold it"
            log.notice(
                "Recovered from an interrupted pairing: \(result).",
                metadata: [LogKey.accessory: "\(pending.name)"]
            )
            return true
        } catch {
            log.info(
                "Can't recover from an interrupted pairing yet.",
                metadata: [LogKey.accessory: "\(pending.name)", LogKey.error: "\(error)"]
            )
            return false
        }
    }

    private func schedule(_ key: Key, after earlier: Task<Void, Never>?) {
        entries[key]?.task = Task { [weak self] in
            await earlier?.value
            await self?.run(key)
        }
    }

    private func run(_ key: Key) async {
        while !Task.isCancelled, let entry = entries[key] {
            let pending = entry.pending
            if await recover(pending, from: pending.deviceID, in: key.home, as: entry.controller) {
                if !Task.isCancelled { entries[key] = nil }
                return
            }
            guard !Task.isCancelled, let failures = entries[key]?.failures else { return }
            entries[key]?.failures = failures + 1
            let delay = min(Self.delays.lowerBound * (1 << min(failures, Self.doublings)), Self.delays.upperBound)
            try? await Task.sleep(for: delay)
        }
    }
}
