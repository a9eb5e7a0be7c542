import Foundation
import HAP
import HAPClient
import HomeModel
import Logging

/// Settles pairings whose exchange of keys broke off: such an accessory may hold the home's pairing, and can then be
/// paired by nobody. The pairing is withdrawn as soon as the accessory can be reached, now or at a later start of the hub,
/// also when the home was removed meanwhile.
///
/// What is settled is noted in the vault beforehand and crossed out afterwards. Nothing else is done to an accessory, and
/// one with which the home has a pairing is never touched.
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
        /// The try that is under way, or the wait for the next.
        var task: Task<Void, Never>?
        var failures = 0
    }

    /// The wait after a failed try: the first, and the longest.
    private static let delays = Duration.seconds(5)...Duration.seconds(600)
    private static let doublings = 10

    private let vault: PairingVault
    private let pairer: AccessoryPairer
    private let log: Logger
    private var entries: [Key: Entry] = [:]
    /// Pairings that are being made.
    private var reserved: Set<Key> = []
    private var isStopped = false

    init(vault: PairingVault, pairer: AccessoryPairer, log: Logger) {
        self.vault = vault
        self.pairer = pairer
        self.log = log
    }

    /// Begins to settle what is pending, of the homes that there are and of those that are gone.
    func start(homes: [UUID]) async throws {
        for home in homes { try await vault.detachNotes(of: home) }
        for note in try await vault.unfinished() {
            if let controller = note.controller.identity { resume(note.pending, in: note.home, as: controller) }
        }
    }

    /// Ends all tries; what is pending stays noted.
    func stop() async {
        isStopped = true
        let ending = entries.values.compactMap(\.task)
        entries = [:]
        for task in ending {
            task.cancel()
            await task.value
        }
    }

    /// Takes in where an accessory is to be found: a try is due.
    func take(_ deviceID: DeviceID, at addresses: [AccessoryAddress]) {
        for (key, entry) in entries where entry.pending.deviceID == deviceID {
            entries[key]?.pending.addresses = addresses
            hasten(key)
        }
    }

    /// Tries at once to settle what a home that was removed has pending.
    func hasten(home: UUID) {
        for key in entries.keys where key.home == home { hasten(key) }
    }

    private func hasten(_ key: Key) {
        guard let entry = entries[key], entry.failures > 0 else { return }
        entry.task?.cancel()
        entries[key]?.failures = 0
        schedule(key, after: entry.task)
    }

    // MARK: For an addition

    /// Reserves a pairing for the addition that is about to be made. No try to settle it is under way when this returns,
    /// and none begins before ``release(_:in:)`` or ``resume(_:in:as:)``, one of which has to be called.
    ///
    /// - Returns: Whether it could be reserved; otherwise another addition has it.
    func reserve(_ pending: PendingPairing, in home: UUID) async -> Bool {
        let key = Key(pending, in: home)
        guard reserved.insert(key).inserted else { return false }
        if let entry = entries.removeValue(forKey: key) {
            entry.task?.cancel()
            await entry.task?.value
        }
        return true
    }

    /// Ends an addition after which nothing is to be settled.
    func release(_ pending: PendingPairing, in home: UUID) {
        reserved.remove(Key(pending, in: home))
    }

    /// Ends an addition, and goes on to settle its pairing.
    func resume(_ pending: PendingPairing, in home: UUID, as controller: ControllerIdentity) {
        let key = Key(pending, in: home)
        reserved.remove(key)
        guard !isStopped, entries[key] == nil else { return }
        entries[key] = Entry(pending: pending, controller: controller)
        schedule(key, after: nil)
    }

    /// Tries once to settle a pairing, and tells whether that was done. The addresses are trusted to be those where the
    /// accessory was told the home's key, so that whoever answers there is asked.
    func settle(_ pending: PendingPairing, in home: UUID, as controller: ControllerIdentity) async -> Bool {
        await settle(pending, from: nil, in: home, as: controller)
    }

    // MARK: Tries

    private func settle(
        _ pending: PendingPairing,
        from deviceID: DeviceID?,
        in home: UUID,
        as controller: ControllerIdentity
    ) async -> Bool {
        do {
            let spared = pending.spared(among: try await vault.pairings(of: home))
            if let deviceID = pending.deviceID, spared.contains(deviceID) {
                // Kept since, so there is nothing to withdraw.
                try await vault.finish(pending, in: home)
                return true
            }
            let outcome = try await pairer.withdraw(
                controller,
                from: deviceID,
                excluding: spared,
                at: pending.addresses
            )
            try await vault.finish(pending, in: home)
            let result = outcome == .withdrawn ? "it was withdrawn" : "the accessory does not hold it"
            log.notice(
                "A pairing that had broken off is settled: \(result).",
                metadata: [LogKey.accessory: "\(pending.name)"]
            )
            return true
        } catch {
            log.info(
                "A pairing that broke off can't be settled yet.",
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
            if await settle(pending, from: pending.deviceID, in: key.home, as: entry.controller) {
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
