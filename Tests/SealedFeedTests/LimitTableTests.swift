import Foundation
import HomeIdentity
import PeerProcess
import SealedFeed
import Testing

/// The documented limits match the enforced ones.
@Suite struct LimitTableTests {
    @Test func thePageHasTheLimitsOfFeeds() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Sync.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## Limits\n").last)
        var table: [String: Int] = [:]
        for line in section.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            table[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        #expect(
            table == [
                "headerBytes": FeedLimits.headerBytes,
                "envelopeBytes": FeedLimits.envelopeBytes,
                "hubListsBytes": FeedLimits.hubListsBytes,
                "vaultLineBytes": FeedLimits.vaultLineBytes,
                "minimumPaddedBytes": FeedLimits.minimumPaddedBytes,
                "maximumPaddedBytes": FeedLimits.maximumPaddedBytes,
                "maximumParts": FeedLimits.maximumParts,
                "maximumContentBytes": FeedLimits.maximumContentBytes,
                "entriesPerBase": FeedLimits.entriesPerBase,
                "rememberedEntries": FeedLimits.rememberedEntries,
                "maximumLists": HubListLimits.maximumLists,
                "maximumChainHubs": HubListLimits.maximumChainHubs,
                "maximumChainBytes": HubListLimits.maximumChainBytes,
            ]
        )
    }
}
