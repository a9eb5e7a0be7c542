import Foundation
import HubAPI
import Testing

@testable import Journal

/// What waits to be written, and when that is due.
struct JournalBacklogTests {
    private func sample(_ source: JournalSample.Source, _ value: Double) -> JournalSample {
        JournalSample(source, time: Date(timeIntervalSince1970: 1_800_000_000), value: value)
    }

    @Test func onlyTheNewestTimerCountsAndNoneOnceWhatWaitsIsTaken() {
        var backlog = JournalBacklog()
        let report = backlog.schedule(.report)
        #expect(backlog.timer == report)
        let usual = backlog.schedule(.usual)
        #expect(backlog.timer == usual)
        #expect(usual != report)
        _ = backlog.take()
        #expect(backlog.scheduled == nil)
        #expect(![report, usual].contains(backlog.timer))
    }

    @Test func urgenciesAreInTheOrderOfTheirDelays() {
        let limits = JournalLimits()
        let urgencies: [JournalUrgency] = [.report, .usual, .high]
        #expect(urgencies.sorted() == urgencies)
        #expect(urgencies.map { $0.delay(limits) } == [limits.reportDelay, limits.delay, .zero])
    }

    @Test func aSampleThatWaitsForItsMinuteIsNoticedOnceWithoutAWrite() {
        var backlog = JournalBacklog()
        let source = JournalSample.Source(home: UUID(), accessory: UUID(), iid: 9)
        func beginsToWait(with value: Double) -> Bool {
            backlog.samples.add(sample(source, value))
            return backlog.beginsToWaitForMinute()
        }
        #expect(!beginsToWait(with: 21), "the first is due")
        _ = backlog.take()
        #expect(beginsToWait(with: 21.5))
        #expect(!beginsToWait(with: 22))
        backlog.endMinute()
        let due = backlog.take().samples.map(\.value)
        #expect(due == [22])
        #expect(!beginsToWait(with: 22.5), "the first of the next minute is due")
    }
}
