import Foundation
import HomeHub
import HomeIdentity
import HubAPI
import PeerProcess
import RelayAPI
import RelayClient
import SealedFeed
import Testing

@testable import HomeAgent

/// The backup that a hub keeps at its relay, opened by a device of its owner.
@Suite struct VaultTests {
    private func vault(
        _ file: [UInt8],
        _ number: Int,
        in feeds: FeedLab,
        for devices: [UUID: PublicBox],
        by key: IdentityKey? = nil
    ) async throws {
        let vault = Vault(
            file,
            passphrase: "correct horse",
            for: devices,
            number: number,
            at: 1_790_000_000_000,
            of: feeds.address.house,
            hub: feeds.lab.hub.owner.device,
            by: key ?? feeds.lab.hub.identity
        )
        let bytes = Data(vault.bytes)
        let starts = Array(stride(from: 0, to: bytes.count, by: RelayLimits.vaultPieceBytes))
        for (index, start) in starts.enumerated() {
            let end = min(start + RelayLimits.vaultPieceBytes, bytes.count)
            let piece = VaultPiece(
                version: Int64(number),
                piece: index + 1,
                pieces: starts.count,
                bytes: Data(bytes[start..<end])
            )
            try await feeds.owner.setPiece(piece, in: feeds.address.house)
        }
    }

    @Test func anOwnersDeviceOpensTheNewestVaultThatTheHubHasWritten() async throws {
        try await FeedLab.run { feeds in
            let command = feeds.lab.command(retries: true)
            defer { command.close() }
            try await command.welcome()
            #expect(await command.refusal(AgentMethods.openVault, OpenVault())?.rawValue == "notAddressed")
            let settings = try feeds.settings()
            let box = try #require(settings?.keys?.box.publicBox)
            let file = (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
            try await vault(Array("old".utf8), 1, in: feeds, for: [feeds.device: box])
            try await vault(file, 2, in: feeds, for: [feeds.device: box])
            // The hub may be gone for good.
            try await feeds.cutHub()
            let opened = try await command.call(AgentMethods.openVault, OpenVault())
            #expect(opened.passphrase == "correct horse" && opened.length == file.count)
            #expect(opened.time == Date(timeIntervalSince1970: 1_790_000_000))
            var read = Data()
            while read.count < opened.length {
                let request = ReadBackup(id: opened.id, offset: read.count)
                read += try await command.call(AgentMethods.readVault, request).bytes
            }
            #expect(Array(read) == file)
            let again = await command.refusal(AgentMethods.readVault, ReadBackup(id: opened.id, offset: 0))
            #expect(again?.rawValue == "notFound", "it isn't kept")
            // The hub hears of it once, for its journal, also if the device was started again meanwhile.
            try feeds.lab.restartAgent()
            feeds.keys.change { $0 = nil }
            try await feeds.near()
            try await feeds.keys.until { $0?.vaultOpened != nil }
            try await Wait.until("the device knows that the hub has heard of it") {
                try feeds.settings()?.vaultOpened == nil
            }
            try await feeds.cutHub()
            feeds.keys.change { $0 = nil }
            try await feeds.near()
            try await feeds.keys.until { $0 != nil }
            #expect(feeds.keys.value?.vaultOpened == nil)
        }
    }

    @Test func aVaultOfAnotherHubOrForOtherDevicesIsNotOpened() async throws {
        try await FeedLab.run { feeds in
            let command = feeds.lab.command(retries: true)
            defer { command.close() }
            try await command.welcome()
            let settings = try feeds.settings()
            let box = try #require(settings?.keys?.box.publicBox)
            try await vault([1], 1, in: feeds, for: [UUID(): BoxKey().publicBox])
            #expect(await command.refusal(AgentMethods.openVault, OpenVault())?.rawValue == "notAddressed")
            try await vault([1], 2, in: feeds, for: [feeds.device: box], by: IdentityKey())
            #expect(await command.refusal(AgentMethods.openVault, OpenVault())?.rawValue == "relayLies")
            #expect(await command.refusal(AgentMethods.openVault, OpenVault(hub: "Nowhere"))?.rawValue == "notFound")
        }
    }
}
