import Dispatch
import Foundation
import GRDB
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI
import Journal
import Logging
import PeerProcess
import Testing

@testable import HomeHub

/// When the journal records what accessories report by themselves, and what waits no longer than all else.
struct ReportRecordingTests {
    private static let forever = Duration.seconds(24 * 60 * 60)
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// An executor that counts its jobs.
    private final class CountingExecutor: TaskExecutor {
        let jobs = AwaitableValue(0)
        private let queue = DispatchQueue(label: "test.hub")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.change { $0 += 1 }
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// A recorder of its own, which knows the home of a hub.
    private struct Recording {
        /// A client of the hub, and its session.
        let client: RecordingHubClient
        let session: HubSession
        let home: UUID
        let lamp: UUID
        let recorder: JournalRecorder
        let activities: ActivityStream
        let file: URL
        let caller: Caller

        /// Publishes that the lamp was switched: by itself, or by an app.
        ///
        /// - Parameter iid: The characteristic. The journal has no entries of one that the lamp lacks.
        func publish(_ isOn: Bool, byApp: Bool = false, iid: UInt64 = 11) {
            let reference = CharacteristicReference(accessory: lamp, iid: iid)
            let activity = ValueActivity(
                update: ValueUpdate(home: home, characteristic: reference, value: .bool(isOn)),
                previous: .bool(!isOn),
                arrival: .next(),
                origin: byApp ? Origin(cause: .app, caller: caller) : .accessory
            )
            activities.publish(.values([activity]))
        }

        /// Waits until so many entries are on the disk, without asking the recorder.
        func waitForEntries(_ count: Int) async throws {
            var configuration = Configuration()
            configuration.readonly = true
            let file = try DatabaseQueue(path: file.path, configuration: configuration)
            while try await file.read({ try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") }) != count {
                try await Task.sleep(for: .milliseconds(10))
            }
            try file.close()
        }

        func entries() async throws -> [JournalEntry] {
            try await recorder.entries(JournalSelection(home: home, limit: 100))
        }
    }

    private func withRecorder(
        _ limits: JournalLimits,
        on executor: (any TaskExecutor)? = nil,
        _ body: (Recording) async throws -> Void
    ) async throws {
        try await JournalFixture.with { fixture in
            try await withDataFolder { folder in
                let activities = ActivityStream()
                let recorder = try await JournalRecorder(
                    in: folder,
                    database: fixture.hub.database,
                    sessions: fixture.hub.sessions,
                    activities: activities,
                    limits: limits,
                    now: { Date() },
                    executor: executor,
                    log: Self.log
                )
                try await body(
                    Recording(
                        client: fixture.client,
                        session: try #require(fixture.hub.sessions.all.first),
                        home: fixture.home,
                        lamp: try fixture.accessory("Lamp").id,
                        recorder: recorder,
                        activities: activities,
                        file: folder.appending(path: JournalFile.name),
                        caller: fixture.caller
                    )
                )
                await recorder.stop()
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func aReportIsWrittenByItselfAfterAWhile() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.delay) = (.milliseconds(1), Self.forever)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            try await recording.waitForEntries(1)
            recording.publish(false)
            try await recording.waitForEntries(2)
        }
    }

    @Test(.timeLimit(.minutes(5))) func aReportIsWrittenWithWhatElseHappens() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.delay) = (Self.forever, .zero)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            recording.publish(false, byApp: true)
            try await recording.waitForEntries(2)
            #expect(try await recording.entries().map(\.cause) == [.app, .accessory])
        }
    }

    @Test func whoReadsTheJournalSeesTheReportsThatWait() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.delay) = (Self.forever, Self.forever)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            recording.publish(false)
            let values = try await recording.entries().map { $0.journalValue?.value }
            #expect(values == [.bool(false), .bool(true)])
        }
    }

    @Test(.timeLimit(.minutes(5))) func whoFollowsTheJournalIsToldOfReportsAtOnce() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.delay) = (Self.forever, Self.forever)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            await recording.recorder.follow(recording.session)
            recording.publish(false)
            try await recording.client.untilEvents { $0.contains(.journal) }
            let told = recording.client.messages.compactMap { message -> JournalEntry? in
                if case .event(.journal(let entry)) = message { entry } else { nil }
            }
            #expect(told.map { $0.journalValue?.value } == [.bool(false)], "what happened before isn't sent")
        }
    }

    @Test(.timeLimit(.minutes(5))) func reportsThatWaitedDoNotWaitAgainWhenSomebodyFollowsTheJournal() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.longWait, limits.delay) = (Self.forever, .zero, .zero)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            await recording.recorder.follow(recording.session)
            try await recording.waitForEntries(1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func reportsThatWaitedDoNotWaitAgainForWhatIsNotRecorded() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.longWait, limits.delay) = (Self.forever, .zero, .zero)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            recording.publish(false, byApp: true, iid: 99)
            try await recording.waitForEntries(1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func aReportIsNotWrittenEarlierForWhatIsNotRecorded() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.longWait, limits.delay) = (.milliseconds(1), Self.forever, Self.forever)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            recording.publish(false, byApp: true, iid: 99)
            try await recording.waitForEntries(1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func whileSomebodyFollowsTheJournalReportsAreWrittenTogether() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.longWait, limits.delay) = (.milliseconds(1), Self.forever, Self.forever)
        try await withRecorder(limits) { recording in
            await recording.recorder.follow(recording.session)
            recording.publish(true)
            try await recording.waitForEntries(1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func whileSomebodyFollowsTheJournalAllElseIsWrittenSoon() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.longWait, limits.delay) = (Self.forever, Self.forever, .zero)
        try await withRecorder(limits) { recording in
            await recording.recorder.follow(recording.session)
            recording.publish(true, byApp: true)
            try await recording.waitForEntries(1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func theEndOfTheHubWritesTheReportsThatWait() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.delay) = (Self.forever, Self.forever)
        try await withRecorder(limits) { recording in
            recording.publish(true)
            await recording.recorder.stop()
            try await recording.waitForEntries(1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func theFirstOfAMomentIsRecordedByTheHubsExecutorAndAReportIsNot() async throws {
        var limits = JournalLimits()
        (limits.reportDelay, limits.delay) = (.milliseconds(1), Self.forever)
        let executor = CountingExecutor()
        try await withRecorder(limits, on: executor) { recording in
            recording.publish(true)
            try await recording.waitForEntries(1)
            #expect(executor.jobs.value == 0)
        }
        try await withRecorder(limits, on: executor) { recording in
            recording.publish(true, byApp: true)
            try await executor.jobs.until { $0 > 0 }
        }
    }
}
