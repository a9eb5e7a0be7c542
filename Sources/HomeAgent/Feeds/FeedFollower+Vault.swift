import Foundation
import HomeIdentity
import HubAPI
import RelayAPI
import RelayClient
import SealedFeed

/// The backup that the hub keeps at the relay.
extension FeedFollower {
    /// Fetches the newest complete vault, and checks that the hub has written it.
    ///
    /// - Returns: The vault, and the passphrase of its file.
    func vault() async throws(HubError) -> (vault: Vault, passphrase: String) {
        guard let reading else {
            throw HubError(.hubAway, "The hub has told this device of no relay, so there is no vault.")
        }
        let bytes: [UInt8]
        do throws(RelayClientError) {
            bytes = try await Self.newest(of: reading.address.house, reading.client)
        } catch {
            throw HubError(vault: error)
        }
        guard let vault = Vault(bytes), vault.house == reading.address.house, let hub = reading.hubs[vault.hub],
            vault.isSigned(by: hub)
        else {
            let reason = "The hub hasn't written what the relay has as its vault. It is not believed."
            throw HubError(HubError.Code(rawValue: FeedError.Code.relayLies.rawValue), reason)
        }
        guard let passphrase = vault.passphrase(for: reading.device, with: reading.box, from: hub) else {
            let reason = "The vault isn't for this device. Only the hub's owner's devices open it."
            throw HubError(HubError.Code(rawValue: FeedError.Code.notAddressed.rawValue), reason)
        }
        return (vault, passphrase)
    }

    private static func newest(
        of house: HouseID,
        _ client: RelayClient
    ) async throws(RelayClientError) -> [UInt8] {
        let versions = try await client.vault(of: house).versions.filter(\.isComplete)
        guard let newest = versions.max(by: { $0.version < $1.version }),
            (1...HouseQuota.home.vaultPieces).contains(newest.pieces)
        else { throw .refused(.notFound) }
        var bytes: [UInt8] = []
        for number in 1...newest.pieces {
            bytes += try await client.piece(number, version: newest.version, of: house)
        }
        return bytes
    }
}

extension HubError {
    /// Creates an error from a relay's answer to the question for a vault.
    fileprivate init(vault error: RelayClientError) {
        if case .refused(let refusal) = error, refusal.code == .notFound {
            let reason =
                "The relay has no vault for this device. The hub's owner makes one with “hearth sync on --vault”, and only the owner's "
                + "devices read it."
            self.init(HubError.Code(rawValue: FeedError.Code.notAddressed.rawValue), reason)
        } else {
            self.init(.hubAway, "The relay can't be asked: \(RelayTrouble(error).reason)")
        }
    }
}
