import Foundation
import HomeModel
import HubAPI
import SealedFeed
import Synchronization

/// Backups at relays, for their owner.
extension Agent {
    /// The number of bytes of a vault in one reply.
    private static let chunkBytes = 512 << 10

    /// Fetches a hub's vault, which can then be read until another one is fetched.
    func openVault(_ parameters: OpenVault) async throws(HubError) -> OpenedVault {
        let hub = if let name = parameters.hub { try hub(named: name) } else { try onlyHub() }
        guard let feed = hub.feed else {
            throw HubError(.hubAway, "This device has no keys for a relay of “\(hub.record.name)”.")
        }
        let (vault, passphrase) = try await feed.vault()
        await feed.noteVaultOpened()
        hub.openFeed()
        let id = UUID()
        let file = Data(vault.file)
        state.withLock { $0.vault = (id, file) }
        let time = vault.time > 0 ? Date(timeIntervalSince1970: Double(vault.time) / 1_000) : nil
        return OpenedVault(id: id, length: file.count, passphrase: passphrase, time: time, hub: hub.record.name)
    }

    /// Returns the next bytes of the vault that was fetched last.
    func readVault(_ parameters: ReadBackup) throws(HubError) -> BackupChunk {
        let vault = state.withLock { $0.vault }
        guard let vault, vault.id == parameters.id, (0...vault.file.count).contains(parameters.offset) else {
            throw HubError(HomeError(.notFound, "Another vault was fetched since. Begin again."))
        }
        let end = min(parameters.offset + Self.chunkBytes, vault.file.count)
        if end == vault.file.count { state.withLock { if $0.vault?.id == vault.id { $0.vault = nil } } }
        return BackupChunk(bytes: vault.file[parameters.offset..<end])
    }

    private func onlyHub() throws(HubError) -> JoinedHub {
        let hubs = hubs
        guard let hub = hubs.first, hubs.count == 1 else {
            let names = hubs.map { "“\($0.record.name)”" }.joined(separator: ", ")
            let reason = hubs.isEmpty ? "This device has joined no hub." : "Choose one of \(names) with --hub."
            throw HubError(HomeError(.notFound, reason))
        }
        return hub
    }
}
