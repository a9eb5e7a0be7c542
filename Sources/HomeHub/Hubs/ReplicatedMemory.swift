import Foundation
import HomeModel
import HomeStore
import Logging

/// What parts of the hub keep in memory of what both hubs have. It follows what the other hub writes.
struct ReplicatedMemory: Sendable {
    let invitations: InvitationManager
    let devices: DeviceManager
    let presence: PresenceRegistry
    let actionSets: ActionSetRunner
    let connections: AccessoryConnections
    let log: Logger

    /// Takes over what the other hub has written.
    ///
    /// - Parameter isFollowing: Whether the other hub has carried the changes of the homes and the automations out, so that
    ///   this one lets go of accessories that were removed, and learns what ran.
    func follow(_ batches: [AppliedBatch], excluding own: OwnWrites, isFollowing: Bool) async {
        for batch in batches {
            guard let steps = batch.content?.steps, case .success(let results) = batch.result else { continue }
            for (step, result) in zip(steps, results) {
                switch step {
                case .setSecrets(let values):
                    let foreign = own.foreign(values)
                    await invitations.follow(foreign)
                    await devices.follow(foreign)
                case .setStates(let values):
                    let foreign = own.foreign(values)
                    await presence.follow(foreign)
                    actionSets.follow(foreign)
                case .append(let items, let removed):
                    let changes = items.map(\.draft)
                    let joined = changes.flatMap(\.change.effects).compactMap(\.device)
                    if !joined.isEmpty { await invitations.follow(joined) }
                    guard isFollowing else { continue }
                    let homes = changes.compactMap { $0.change.concernsMembership ? $0.log.home : nil }
                    let left = Set(homes + removed.compactMap(\.home))
                    // Accessories take their time, and nobody waits for them.
                    if !left.isEmpty { Task { [connections] in await connections.followMembers(of: left) } }
                case .claim(_, let values):
                    guard isFollowing, case .claimed(let areNew) = result else { continue }
                    for (index, isNew) in areNew.enumerated() where isNew { actionSets.follow(values[index] ?? [:]) }
                case .complete(_, let values):
                    if isFollowing { actionSets.follow(values) }
                case .setMetadata, .part: break
                }
            }
        }
    }

    /// Reads everything again, because the state was replaced as a whole.
    func reload() async {
        do {
            try await invitations.reload()
            try await devices.reload()
            try await presence.start()
            try await actionSets.start()
        } catch {
            log.critical("What the other hub sent can't be read.", metadata: ["error": "\(error)"])
        }
    }

    /// Ends what has ended meanwhile. Only a hub that leads does so, and it doesn't wait for it.
    func beginLeading() async {
        await invitations.removeEnded()
        do {
            try await devices.matchRecords()
        } catch {
            log.warning("The records of signed-in devices don't match.", metadata: ["error": "\(error)"])
        }
    }
}

extension Effect {
    /// The device that the effect puts.
    fileprivate var device: AccountDeviceRecord? {
        if case .put(.accountDevice(let device)) = self { device } else { nil }
    }
}

extension Change {
    /// Whether accessories may have left the home, or have been blocked or unblocked.
    fileprivate var concernsMembership: Bool {
        !removedAccessories.isEmpty || verb == .accessoriesBlocked || verb == .accessoriesUnblocked
    }
}

extension LogID {
    /// The home whose log it is.
    fileprivate var home: UUID? { if case .home(let home) = self { home } else { nil } }
}
