import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import Logging
import Synchronization

/// Runs ``Introductions``: this person's devices take each other along to all hubs.
extension Agent {
    /// Handles an event of introductions, and runs what follows from it.
    func introduce(_ event: (inout Introductions, [Introductions.Hub]) -> [Introductions.Action]) {
        let hubs = self.hubs.compactMap { introduced($0) }
        let actions = state.withLock { event(&$0.introductions, hubs) }
        for action in actions { perform(action) }
    }

    private func introduced(_ hub: JoinedHub) -> Introductions.Hub? {
        guard let stored = configuration.folder.hub(hub.record.id) else { return nil }
        let view = hub.view
        let state = view.copy.hub
        let key = stored.publicKey?.bytes
        let others = state.account.devices.filter { $0.kind == .agent && !$0.isSuspended && $0.key != key }
        let isWaiting = stored.device == nil && view.copy.lastContact == nil
        return Introductions.Hub(
            id: stored.id,
            card: SealedNote.Hub(
                name: stored.name,
                key: stored.key,
                addresses: Array(stored.addresses.prefix(AgentLimits.addresses)),
                person: stored.person
            ),
            isNear: view.isNear && view.copy.isComplete,
            isOwn: view.copy.ownsHome,
            waitingKey: isWaiting ? key.map { Data($0) } : nil,
            devices: Dictionary(others.map { ($0.id, $0.name) }) { first, _ in first }
        )
    }

    private func perform(_ action: Introductions.Action) {
        switch action {
        case .send(let note, let peer):
            guard let hub = hub(peer.hub), let body = try? JSONEncoder().encode(note) else { return }
            // A device that isn't connected says so when it is.
            Task { try? await hub.call(HubMethods.sendToDevice, SendToDevice(device: peer.device, body: body)) }
        case .vouch(let peer, let id, let parameters):
            guard let hub = hub(id) else { return }
            Task { await vouch(for: peer, at: hub, parameters) }
        case .prepare(let card, let peer):
            let key = prepare(card)
            introduce { introductions, _ in introductions.prepared(card, for: peer, key: key) }
        case .giveUp(let id, let reason):
            let name = hub(id)?.record.name ?? ""
            // The hub's own queue can't wait for its end.
            Task { remove(id, notice: "This device can't join “\(name)”: \(reason)") }
        case .wake(let id):
            hub(id)?.wake()
        case .store:
            state.withLock { $0.settings.introductions = $0.introductions.done }
            storeSettings()
        }
    }

    private func vouch(for peer: Introductions.Peer, at hub: JoinedHub, _ parameters: VouchForDevice) async {
        var failure: HubError?
        do throws(HubError) {
            _ = try await hub.call(HubMethods.vouchForDevice, parameters)
        } catch {
            failure = error
        }
        log.info(
            failure == nil ? "This device has vouched for another one." : "A hub doesn't take another device.",
            metadata: [
                "device": "\(parameters.name)", "hub": "\(hub.record.name)", "reason": "\(failure?.reason ?? "")",
            ]
        )
        introduce { introductions, _ in
            introductions.vouched(for: peer, at: hub.record.id, key: hub.record.key, failure)
        }
    }

    /// Makes and stores a key for a hub that another device of the person's has introduced, and tries to reach the hub.
    ///
    /// - Returns: The public key; `nil` if it can't be stored.
    private func prepare(_ card: SealedNote.Hub) -> Data? {
        let key = IdentityKey()
        let stored = StoredHub(
            id: UUID(),
            name: card.name,
            key: card.key,
            seed: Data(key.seed),
            device: nil,
            person: card.person,
            addresses: card.addresses,
            joined: configuration.now()
        )
        do throws(HubError) {
            try configuration.folder.store(stored)
        } catch {
            log.warning("A hub can't be joined.", metadata: ["hub": "\(card.name)", "reason": "\(error.reason)"])
            return nil
        }
        guard let hub = add(stored) else { return nil }
        log.info("Another device of this person's has introduced a hub.", metadata: ["hub": "\(card.name)"])
        start(hub)
        // The list of homes may become another one.
        for session in sessions { session.restart() }
        return Data(key.publicKey.bytes)
    }
}

extension StoredHub {
    /// The device's own public key for the hub; `nil` if what is stored is damaged.
    var publicKey: PublicKey? { IdentityKey(seed: seed)?.publicKey }
}
