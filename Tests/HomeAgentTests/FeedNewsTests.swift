import Foundation
import HomeModel
import HubAPI
import SealedFeed
import Testing

@testable import HomeAgent

/// What an update of a feed changes in a copy that the hub itself has changed too.
@Suite struct FeedNewsTests {
    private let user = UUID()
    private let lineage = UUID()

    private func reset(_ revision: Int, lineage: UUID? = nil) -> HubEvent {
        let log = Snapshot.Log(lineage: lineage ?? self.lineage, revision: revision, records: [])
        return .reset(Snapshot(account: log, homes: [:], values: KnownValues(), reachability: []))
    }

    private func change(_ revision: Int, lineage: UUID? = nil) -> HubEvent {
        let change = Change(verb: .homeRenamed, subjects: [], effects: [])
        return .change(
            LogChange(home: nil, lineage: lineage ?? self.lineage, revision: revision, change: change, isMine: false)
        )
    }

    private var keys: FeedHomeKeys { FeedHomeKeys(user: user, keys: [:]) }

    private func copy(_ revision: Int) -> CopyState {
        var news = FeedNews(CopyState())
        news.take([reset(revision)], keys, isKnown: false)
        return news.copy
    }

    private func revision(_ news: FeedNews) -> Int? { news.copy.hub.seen?.account.revision }

    @Test func aCopyBeginsWithABaseAndItsKeys() {
        var news = FeedNews(CopyState())
        news.take([change(1)], nil, isKnown: false)
        #expect(!news.hasChanged && !news.copy.isComplete)
        news.take([reset(5)], keys, isKnown: false)
        #expect(news.copy.isComplete && revision(news) == 5)
    }

    @Test func changesThatTheCopyHasChangeNothing() {
        var news = FeedNews(copy(5))
        news.take([change(4), change(5)], nil, isKnown: false)
        #expect(!news.hasChanged && news.steps.isEmpty)
        news.take([change(5), change(6)], nil, isKnown: true)
        #expect(news.steps.count == 1 && revision(news) == 6)
    }

    @Test func anOlderBaseDoesNotTakeTheCopyBack() {
        var news = FeedNews(copy(5))
        news.take([reset(3)], keys, isKnown: false)
        news.take([reset(5)], keys, isKnown: false)
        #expect(!news.hasChanged && revision(news) == 5)
        news.take([reset(6)], keys, isKnown: false)
        #expect(news.steps.count == 1 && revision(news) == 6)
    }

    @Test func anotherLineageIsTakenFromABaseOnlyUnlessTheHubHasToldMore() {
        let other = UUID()
        var news = FeedNews(copy(5))
        news.take([change(9, lineage: other)], nil, isKnown: false)
        #expect(!news.hasChanged, "the hub was restored since, or this was before")
        news.take([reset(9, lineage: other)], keys, isKnown: true)
        #expect(!news.hasChanged, "the hub itself has told the device of a later place")
        news.take([reset(2, lineage: other)], keys, isKnown: false)
        #expect(news.copy.hub.seen?.account == LogCursor(lineage: other, revision: 2))
    }

    @Test func aHomeThatTheHubItselfHasTakenAwayDoesNotComeBackInPieces() {
        let home = UUID()
        let change = LogChange(
            home: home,
            lineage: lineage,
            revision: 7,
            change: Change(verb: .roomAdded, subjects: [], effects: []),
            isMine: false
        )
        var news = FeedNews(copy(5))
        news.take([.change(change), .homeGone(home)], nil, isKnown: false)
        #expect(!news.hasChanged && news.steps.isEmpty)
    }

    @Test func keysAloneCompleteACopy() {
        var incomplete = CopyState()
        incomplete.hub.apply(reset(5))
        #expect(!incomplete.isComplete)
        var news = FeedNews(incomplete)
        news.take([reset(4)], keys, isKnown: false)
        #expect(news.copy.isComplete && news.hasChanged && revision(news) == 5)
    }

    @Test func aBaseWithoutAHomeThatTheCopyHasIsLaterIfItsListOfHomesIs() {
        let home = UUID()
        func snapshot(_ revision: Int, _ homes: [UUID: Int]) -> HubEvent {
            let logs = homes.mapValues { Snapshot.Log(lineage: lineage, revision: $0, records: []) }
            let account = Snapshot.Log(lineage: lineage, revision: revision, records: [])
            return .reset(Snapshot(account: account, homes: logs, values: KnownValues(), reachability: []))
        }
        let keys = FeedHomeKeys(user: user, keys: [home: Data([1])])
        var news = FeedNews(CopyState())
        news.take([snapshot(1, [home: 4])], keys, isKnown: false)
        #expect(news.copy.hub.homes.count == 1)
        news.take([snapshot(1, [home: 3])], keys, isKnown: false)
        #expect(news.copy.hub.seen?.homes[home]?.revision == 4)
        news.take([snapshot(2, [:])], keys, isKnown: false)
        #expect(news.copy.hub.homes.isEmpty)
        news.take([snapshot(1, [home: 9])], keys, isKnown: false)
        #expect(news.copy.hub.homes.isEmpty, "an older list of homes brings none back")
    }
}
