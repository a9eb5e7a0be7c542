import HubAPI
import Testing

/// The limits on what a client may leave unread: each limit, and one byte more.
@Suite struct BacklogTests {
    private static let limits = Backlog.Limits(events: 1_000, total: 5_000)

    @Test func eventsAreHeldBackPastTheLimitUntilAllIsRead() {
        var backlog = Backlog(limits: Self.limits)
        let atLimit = backlog.sent(bytes: 1_000, isReset: false, unread: 1_000)
        #expect(!atLimit && !backlog.isPaused)
        let pastLimit = backlog.sent(bytes: 1, isReset: false, unread: 1_001)
        #expect(pastLimit && backlog.isPaused)
        let again = backlog.sent(bytes: 1, isReset: false, unread: 1_002)
        #expect(!again)
        let flows = backlog.drained()
        #expect(flows && !backlog.isPaused)
    }

    @Test func aConnectionEndsPastTheTotal() {
        let backlog = Backlog(limits: Self.limits)
        #expect(backlog.allows(unread: 5_000))
        #expect(!backlog.allows(unread: 5_001))
    }

    @Test func oneUnreadResetCountsForNothingAndMoreCount() {
        var backlog = Backlog(limits: Self.limits)
        let first = backlog.sent(bytes: 100_000, isReset: true, unread: 100_000)
        #expect(!first)
        let event = backlog.sent(bytes: 1_000, isReset: false, unread: 101_000)
        #expect(!event)
        #expect(backlog.allows(unread: 105_000))
        #expect(!backlog.allows(unread: 105_001))
        let second = backlog.sent(bytes: 100_000, isReset: true, unread: 201_000)
        #expect(second && backlog.isPaused)
    }

    @Test func smallResetsThatAreNotReadCountTogether() {
        var backlog = Backlog(limits: Self.limits)
        var unread = 0
        for number in 0..<11 {
            unread += 100
            let isPaused = backlog.sent(bytes: 100, isReset: true, unread: unread)
            #expect(!isPaused, "\(number)")
        }
        let isPaused = backlog.sent(bytes: 100, isReset: true, unread: unread + 100)
        #expect(isPaused)
    }

    @Test func aResetThatWasReadCountsForNothingAnyMore() {
        var backlog = Backlog(limits: Self.limits)
        _ = backlog.sent(bytes: 100_000, isReset: true, unread: 100_000)
        // The client has read everything in the meantime, although it wasn't reported.
        _ = backlog.sent(bytes: 1_000, isReset: false, unread: 1_000)
        let isPaused = backlog.sent(bytes: 1, isReset: false, unread: 1_001)
        #expect(isPaused)
    }
}
