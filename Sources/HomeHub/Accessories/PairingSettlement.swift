import Foundation
import HAP
import HAPClient
import HomeModel
import Logging

/// Settles pairings whose exchange of keys broke off: such an accessory may hold the home's pairing, and can then be
/// paired by nobody. The pairing is withdrawn as soon as the accessory can be reached, now or at a later start of the hub.
///
/// What is settled is noted in the vault beforehand and crossed out afterwards. Nothing else is done to an accessory, and
/// one with which the home has a pairing is never touched.
actor PairingSettlement {
    private struct Key: Hashable {
        var home: UUID
        var name: String
    }

    private struct Entry {
        var pending: PendingPairing
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
    private var isStopped = false

    init(vault: PairingVault, pairer: AccessoryPairer, log: Logger) {
        self.vault = vault
        self.pairer = pairer
        self.log = log
    }

    /// Begins to settle what a home has pending.
    func start(home: UUID) async throws {
        let pairings = try await vault.pairings(of: home)
        for pending in try await vault.unfinished(in: home) {
            if let deviceID = pending.deviceID, pending.spared(among: pairings).contains(deviceID) {
                // Kept, but the hub ended before the note was crossed out.
                try await vault.finish(pending, in: home)
            } else {
                resume(pending, in: home)
            }
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
            guard entry.failures > 0 else { continue }
            entry.task?.cancel()
            entries[key]?.failures = 0
            schedule(key, after: entry.task)
        }
    }

    /// Lets go of what a home has pending, for the home is about to be removed.
    ///
    /// - Returns: A last try to settle it. It needs nothing of the home any more.
    func release(home: UUID) async throws -> @Sendable () async -> Void {
        let released = entries.filter { $0.key.home == home }
        for key in released.keys { entries[key] = nil }
        for task in released.values.compactMap(\.task) {
            task.cancel()
            await task.value
        }
        guard !released.isEmpty else { return {} }
        let controller = try await vault.controllerIdentity(of: home)
        let pairings = try await vault.pairings(of: home)
        return { [log, pairer] in
            for pending in released.values.map(\.pending) {
                let outcome =
                    try? await pairer
                    .withdraw(
                        controller,
                        from: pending.deviceID,
                        excluding: pending.spared(among: pairings),
                        at: pending.addresses
                    )
                guard outcome == nil else { continue }
                log.warning(
                    "A pairing that broke off is left at its accessory: reset it if it can't be added any more.",
                    metadata: [LogKey.accessory: "\(pending.name)"]
                )
            }
        }
    }

    // MARK: For an addition

    /// Leaves a pairing to the addition that is about to be made: no try is under way when this returns, and none begins
    /// before ``resume(_:in:)``.
    func suspend(_ pending: PendingPairing, in home: UUID) async {
        guard let entry = entries.removeValue(forKey: Key(home: home, name: pending.name)) else { return }
        entry.task?.cancel()
        await entry.task?.value
    }

    /// Goes on to settle a pairing in its own time.
    func resume(_ pending: PendingPairing, in home: UUID) {
        let key = Key(home: home, name: pending.name)
        guard !isStopped, entries[key] == nil else { return }
        entries[key] = Entry(pending: pending)
        schedule(key, after: nil)
    }

    /// Tries once to settle a pairing, and tells whether that was done. The addresses are trusted to be those where the
    /// accessory was told the home's key, so that whoever answers there is asked.
    func settle(_ pending: PendingPairing, in home: UUID) async -> Bool {
        await settle(pending, from: nil, in: home)
    }

    // MARK: Tries

    private func settle(_ pending: PendingPairing, from deviceID: DeviceID?, in home: UUID) async -> Bool {
        do {
            let outcome = try await pairer.withdraw(
                try await vault.controllerIdentity(of: home),
                from: deviceID,
                excluding: pending.spared(among: try await vault.pairings(of: home)),
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
        while !Task.isCancelled, let pending = entries[key]?.pending {
            if await settle(pending, from: pending.deviceID, in: key.home) {
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
