import Foundation
import HomeModel
import HubAPI
import Testing

@testable import HomeHub

/// The changes that wait for a relay.
struct FeedInboxTests {
    private static let reset = HubEvent.reset(
        Snapshot(
            account: Snapshot.Log(lineage: UUID(), revision: 0, records: []),
            homes: [:],
            values: KnownValues(),
            reachability: []
        )
    )

    @Test func changesBeyondTheLimitAreReplacedByTheFullState() {
        let inbox = FeedInbox()
        let events = (0..<FeedInbox.limit).map { _ in HubEvent.homeGone(UUID()) }
        for event in events { #expect(inbox.add(event)) }
        #expect(inbox.take().events == events)
        #expect(inbox.take() == FeedInbox.Batch())

        for event in events + [.homeGone(UUID()), .homeGone(UUID())] { _ = inbox.add(event) }
        let batch = inbox.take()
        #expect(batch.hasMissed && batch.events.isEmpty && batch.reset == nil)
    }

    @Test func theFullStateReplacesTheChangesBeforeIt() {
        let inbox = FeedInbox()
        let later = HubEvent.homeGone(UUID())
        for event in [.homeGone(UUID()), Self.reset, later] { _ = inbox.add(event) }
        let batch = inbox.take()
        #expect(batch.reset != nil && batch.events == [later])
    }

    @Test func valuesAndReachabilityAreLeftOut() {
        let inbox = FeedInbox()
        #expect(!inbox.add(.values([])) && !inbox.add(.reachability([])) && !inbox.add(.runs([])))
        #expect(inbox.take() == FeedInbox.Batch())
    }
}
