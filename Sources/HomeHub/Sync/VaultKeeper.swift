import AgeFile
import Foundation
import HAP
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging
import SealedFeed
import Synchronization

/// Puts an encrypted backup at the relay: once a day, and some minutes after accessories were added.
///
/// The backup's passphrase is random and only the owner's devices get it. The hub doesn't keep it.
final class VaultKeeper: Sendable {
    // This is a class because the activity stream and the hub share it.

    /// The time between checks whether a vault is due.
    private static let checkInterval = Duration.seconds(60)
    /// The time between two vaults, in seconds.
    private static let interval = 24.0 * 60 * 60
    /// The time from a pairing to the next vault, in seconds. More pairings may follow.
    private static let pairingTime = 5.0 * 60
    /// The passphrase has 256 random bits, so that scrypt needn't make guesses slow.
    private static let work = ScryptWorkFactor(exponent: 10)
    private static let passphraseByteCount = 32
    /// The number of bytes of a piece at the relay.
    private static let pieceBytes = 256 << 10

    private let desk: SyncDesk
    private let store: HomeStore
    /// The folder for the backup while it is made, which the hub empties at its start.
    private let folder: URL
    private let owner: HubOwner
    private let identity: IdentityKey
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let log: Logger
    /// When accessories were added that no vault has.
    private let pairing = Mutex<Date?>(nil)
    private let turns = WorkTurns()

    init(
        desk: SyncDesk,
        store: HomeStore,
        folder: URL,
        owner: HubOwner,
        identity: IdentityKey,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>,
        log: Logger
    ) {
        self.desk = desk
        self.store = store
        self.folder = folder
        self.owner = owner
        self.identity = identity
        self.now = now
        self.clock = clock
        self.log = log
    }

    /// Follows a stored change.
    func handle(_ activity: Activity) {
        guard case .stored(let request) = activity,
            request.entries.contains(where: { $0.draft.change.verb == .accessoriesAdded })
        else { return }
        pairing.withLock { $0 = $0 ?? now() }
    }

    /// Puts vaults at the relay until the task is canceled.
    func run() async {
        while !Task.isCancelled {
            await makeIfDue()
            try? await clock.sleep(for: Self.checkInterval)
        }
    }

    /// Puts a vault at the relay if one is due.
    func makeIfDue() async { await inTurn { await self.makeInTurn() } }

    /// Puts a vault at the relay now.
    ///
    /// - Throws: `notAllowedNow` if there is to be none, or nobody could open it; `relayFailed` if the relay doesn't take it.
    func makeNow(by origin: Origin) async throws(HubError) {
        try await inTurn { () -> Result<Void, HubError> in
            guard let plan = await self.desk.vaultPlan() else { return .failure(await self.desk.vaultRefusal()) }
            return await self.make(plan, by: origin).mapError { HubError(.relayFailed, $0.message) }
        }
        .get()
    }

    /// Does a piece of work once the ones before are done: each vault has a larger number than those at the relay.
    private func inTurn<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = turns.add(work)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func makeInTurn() async {
        guard let plan = await desk.vaultPlan() else { return }
        let paired = pairing.withLock { $0 }
        let isPaired = paired.map { now().timeIntervalSince($0) >= Self.pairingTime } ?? false
        // A clock that was set back must not end the vaults.
        let age = plan.made.map { abs(now().timeIntervalSince($0)) } ?? .infinity
        guard isPaired || age >= Self.interval else { return }
        _ = await make(plan)
    }

    /// Puts a vault at the relay.
    ///
    /// - Parameter origin: Who requested it; `nil` for the hub itself.
    private func make(_ plan: VaultPlan, by origin: Origin? = nil) async -> Result<Void, FeedRelayError> {
        let paired = pairing.withLock { $0 }
        do {
            try await put(plan)
            pairing.withLock { if $0 == paired { $0 = nil } }
            await desk.noteVault(at: now(), problem: nil)
            await desk.tellJournal(.vaultMade(relay: plan.place.relay), by: origin)
            return .success(())
        } catch {
            let failure = error as? FeedRelayError ?? FeedRelayError("\(error)")
            log.warning("The vault could not be put at the relay.", metadata: [LogKey.error: "\(failure.message)"])
            await desk.noteVault(at: nil, problem: failure.message)
            return .failure(failure)
        }
    }

    private func put(_ plan: VaultPlan) async throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let copy = folder.appending(path: "\(UUID().uuidString).sqlite")
        let sealed = folder.appending(path: "\(UUID().uuidString).age")
        defer { for file in [copy, sealed] { try? FileManager.default.removeItem(at: file) } }
        try await store.copy(to: copy)
        var generator = SystemRandomNumberGenerator()
        let passphrase = generator.bytes(Self.passphraseByteCount).hexadecimal
        let file = try await Task.detached {
            try EncryptedCopy.write(copy, to: sealed, passphrase: passphrase, work: Self.work)
            return Array(try Data(contentsOf: sealed))
        }.value
        let time = max(0, Int(now().timeIntervalSince1970 * 1_000))
        let number = try await desk.nextVaultNumber(at: time)
        let vault = Vault(
            file,
            passphrase: passphrase,
            for: plan.devices,
            number: number,
            at: time,
            of: plan.place.house,
            hub: owner.device,
            by: identity
        )
        let bytes = vault.bytes
        let starts = Array(stride(from: 0, to: bytes.count, by: Self.pieceBytes))
        for (index, start) in starts.enumerated() {
            let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
            try await plan.house.putVault(Array(piece), number: index + 1, of: starts.count, version: number)
            // It may have been turned off meanwhile, and removed before this piece came.
            guard await desk.vaultPlan()?.place.house == plan.place.house else {
                try await plan.house.removeVault()
                throw FeedRelayError("The vault was turned off.")
            }
        }
        log.info("A backup was put into the vault.", metadata: ["bytes": "\(bytes.count)"])
    }
}

/// What is needed to put a vault at the relay.
struct VaultPlan: Sendable {
    /// Where.
    var place: RelayPlace
    /// The house.
    var house: any RelayHouse
    /// The owner's devices, which get the passphrase.
    var devices: [UUID: PublicBox]
    /// When the last vault was made; `nil` if there is none.
    var made: Date?
}

extension SyncDesk {
    /// Returns what is needed to put a vault at the relay; `nil` if there is to be none, or nobody could open it.
    func vaultPlan() -> VaultPlan? {
        guard leading != nil, stored.keepsVault == true, let place = stored.place, let house else { return nil }
        let devices = table.devices(of: owner.user).mapValues(\.box)
        guard !devices.isEmpty else { return nil }
        return VaultPlan(place: place, house: house, devices: devices, made: stored.vaultTime)
    }

    /// Returns why there is no ``vaultPlan()``.
    func vaultRefusal() -> HubError {
        let reason =
            if stored.place == nil {
                "The hub uses no relay. To keep a vault at one: hearth sync on URL --vault"
            } else if stored.keepsVault != true {
                "The hub keeps no vault. To keep one: hearth sync on URL --vault"
            } else if house == nil {
                "The relay can't be used. See the hub's log."
            } else {
                "The hub's owner has no device that could open a vault. To add one: hearth device add"
            }
        return HubError(.notAllowedNow, reason)
    }

    /// Returns the number of the next vault, which is stored before it is used.
    func nextVaultNumber(at time: Int) async throws(FeedRelayError) -> Int {
        stored.vaultNumber = max((stored.vaultNumber ?? 0) + 1, time)
        guard await save() else { throw FeedRelayError("The number of the vault could not be stored.") }
        return stored.vaultNumber ?? time
    }

    /// Notes that a vault was made, or why not.
    func noteVault(at time: Date?, problem: String?) async {
        vaultProblem = problem
        guard let time else { return }
        stored.vaultTime = time
        await save()
    }
}
