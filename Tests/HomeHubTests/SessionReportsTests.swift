import HAP
import HAPClient
import PeerProcess
import Testing

@testable import HomeHub

/// What the session of an accessory server reports, on its way to the task that handles it.
struct SessionReportsTests {
    private let reports = SessionReports()

    /// Adds a report that is told from others by its cause.
    private func add(_ cause: UnreachableCause) {
        reports.add(.event(.unreachable(cause), .next()))
    }

    private func nextCause() async -> UnreachableCause? {
        guard case .event(.unreachable(let cause), _) = await reports.next() else { return nil }
        return cause
    }

    @Test func reportsAreTakenInTheirOrder() async {
        add(.refused)
        add(.timedOut)
        #expect(await nextCause() == .refused)
        add(.connectionLost)
        #expect(await nextCause() == .timedOut)
        #expect(await nextCause() == .connectionLost)
    }

    @Test func whoTakesAReportWaitsForIt() async {
        async let cause = nextCause()
        // Whether it waits already or not, it gets the report.
        await Task.yield()
        add(.pairingForgotten)
        #expect(await cause == .pairingForgotten)
    }

    @Test func aMarkerEndsItsWaitOnceWhatCameBeforeIsTaken() async {
        add(.refused)
        async let wait: Void = withCheckedContinuation { reports.add(.marker(SessionReports.Marker($0))) }
        #expect(await nextCause() == .refused)
        // The marker is released as soon as it is taken.
        _ = await reports.next()
        await wait
    }

    /// Returns whether a report is handled at once.
    private func isHandled() -> Bool {
        var isHandled = false
        let isCalled = reports.ifNoneWaits { isHandled = true }
        #expect(isCalled == isHandled)
        return isHandled
    }

    @Test(.timeLimit(.minutes(5))) func aReportIsHandledAtOnceWhileNoEarlierOneIs() async throws {
        #expect(!isHandled(), "nothing says yet that all was handled")
        let step = AwaitableValue(0)
        let taker = Task {
            #expect(await nextCause() == .refused)
            step.change { $0 = 1 }
            try await step.until { $0 == 2 }
            #expect(await nextCause() == .timedOut)
        }
        while !isHandled() { await Task.yield() }
        add(.refused)
        #expect(!isHandled(), "the one before isn't handled yet")
        try await step.until { $0 == 1 }
        #expect(!isHandled(), "the one before was only taken")
        step.change { $0 = 2 }
        while !isHandled() { await Task.yield() }
        add(.timedOut)
        try await taker.value
        reports.end()
        #expect(!isHandled())
    }

    @Test func theEndDropsWhatWaitsAndEndsAllWaits() async {
        async let taken = reports.next()
        await Task.yield()
        reports.end()
        #expect(await taken == nil)
        add(.refused)
        #expect(await nextCause() == nil)
        await withCheckedContinuation { reports.add(.marker(SessionReports.Marker($0))) }
    }

    @Test func markersThatNobodyTakesEndTheirWaitsWithTheReports() async {
        async let wait: Void = withCheckedContinuation { reports.add(.marker(SessionReports.Marker($0))) }
        await Task.yield()
        reports.end()
        await wait
    }
}
