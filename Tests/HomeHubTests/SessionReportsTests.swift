import HAP
import HAPClient
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
