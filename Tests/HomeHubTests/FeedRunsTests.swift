import Foundation
import HomeStore
import SealedFeed
import Testing

@testable import HomeHub

/// Which entries of its feeds a hub knows as its own.
struct FeedRunsTests {
    private static func content(of run: UUID?) -> FeedContent {
        let cursor = FeedCursors.Cursor(lineage: UUID(), revision: 1)
        return FeedContent(seen: FeedCursors(account: cursor, homes: [:]), run: run, events: [])
    }

    @Test func aHubKnowsWhatItWroteInItsLastRuns() async throws {
        try await withDataFolder { folder in
            let store = try await HomeStore.open(at: folder)
            let first = try await FeedRuns.begin(in: store)
            #expect(first.contain(Self.content(of: first.current)))
            #expect(!first.contain(Self.content(of: UUID())), "a copy of the folder begins runs of its own")
            #expect(first.contain(Self.content(of: nil)), "former versions didn't name their runs")
            var last = first
            for _ in 1..<FeedRuns.maximumCount { last = try await FeedRuns.begin(in: store) }
            #expect(last.contain(Self.content(of: first.current)))
            last = try await FeedRuns.begin(in: store)
            #expect(!last.contain(Self.content(of: first.current)))
            try await store.close()
        }
    }
}
