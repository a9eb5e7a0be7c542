import Foundation
import HomeModel
import HomeStore
import HubAPI
import Journal
import Logging
import Synchronization

/// The part of the hub that records what happens in the homes, and answers questions about it.
///
/// It subscribes to the activity stream. Publishers don't wait for it: one task at a time turns what was published into
/// entries, sends them to the sessions that follow the journal, and passes them on to the file. What follows within a moment
/// is collected, and what accessories report for longer, unless somebody follows or reads the journal.
actor JournalRecorder: HubPart {
    private let file: JournalFile
    let database: HomeDatabase
    private let sessions: SessionRegistry
    /// The time for which what accessories report may wait.
    private let reportDelay: Duration
    /// The time after which it has waited for so long that it isn't to wait as long again.
    private let longWait: Duration
    /// The executor that records the first of a moment.
    private let executor: (any TaskExecutor)?
    private let log: Logger
    private let intake = Mutex(JournalIntake())
    private var builder: JournalEntryBuilder

    /// Opens the journal in a data folder and begins to record.
    ///
    /// - Throws: ``HomeStore/StoreError`` with the code `insecure` if other users have access to the file, as for the store.
    init(
        in folder: URL,
        database: HomeDatabase,
        sessions: SessionRegistry,
        activities: ActivityStream,
        limits: JournalLimits = JournalLimits(),
        now: @escaping @Sendable () -> Date,
        executor: (any TaskExecutor)?,
        log: Logger
    ) async throws(StoreError) {
        do throws(JournalError) {
            file = try await JournalFile(in: folder, limits: limits, now: now) { Self.report($0, to: log) }
        } catch {
            throw StoreError(.insecure, error.reason)
        }
        self.database = database
        self.sessions = sessions
        reportDelay = limits.reportDelay
        longWait = limits.longWait
        self.executor = executor
        self.log = log
        builder = JournalEntryBuilder(state: await database.stored)
        activities.subscribe { [weak self] in self?.receive($0, at: now()) }
    }

    /// Records what waits and closes the file.
    func stop() async {
        record()
        await file.close()
    }

    // MARK: Recording

    /// Waits until everything published before the call is on the disk. If the file can't be written, it returns too.
    func flush() async {
        record()
        await file.flush()
    }

    private nonisolated func receive(_ activity: Activity, at time: Date) {
        switch intake.withLock({ $0.add(activity, at: time, .now) }) {
        case .report(let timer):
            Task { [weak self, reportDelay] in
                try? await Task.sleep(for: reportDelay)
                await self?.recordReports(by: timer)
            }
        case .later:
            Task { [weak self] in
                try? await Task.sleep(for: JournalIntake.moment)
                await self?.record()
            }
        case .here:
            Task(executorPreference: executor) { await self.recordFew() }
        case .now:
            Task { await self.record(isDue: true) }
        case nil:
            break
        }
    }

    /// Records and writes what accessories have reported, if it still waits.
    private func recordReports(by timer: Int) {
        if intake.withLock({ $0.timer == timer }) { record(isDue: true) }
    }

    /// Records what waits if it is little, and has the rest recorded where it may take its time.
    private func recordFew() {
        if intake.withLock({ $0.size <= JournalIntake.few }) {
            record()
        } else {
            Task(executorPreference: globalConcurrentExecutor) { await self.record() }
        }
    }

    /// Begins to send entries to a session. What happened before the call is not sent.
    func follow(_ session: HubSession) {
        record()
        session.followsJournal = true
        let hasReports = intake.withLock { intake in
            intake.isFollowed = true
            return intake.size > 0
        }
        if hasReports { record() }
    }

    /// Records what waits.
    ///
    /// - Parameter isDue: Whether it has waited for so long that it is written without another delay.
    private func record(isDue: Bool = false) {
        let followers = sessions.all.filter(\.followsJournal)
        let (items, dropped, wait) = intake.withLock { $0.take(.now, isFollowed: !followers.isEmpty) }
        if dropped > 0 {
            log.warning(
                "The journal missed what happened, because too much happened at once.",
                metadata: [
                    "count": "\(dropped)"
                ]
            )
        }
        // Reports that have waited here don't wait as long again.
        let urgency: JournalUrgency? = isDue ? .high : wait > longWait ? .usual : nil
        var collected = JournalEntryBuilder.Record()
        for item in items {
            switch item {
            case .activity(let activity, let time):
                let record = builder.record(activity, at: time)
                collected.entries += record.entries
                collected.samples += record.samples
                if collected.entries.count >= JournalIntake.promptly { passOn(&collected, urgency, followers) }
            case .state(let state):
                builder.follow(state)
            }
        }
        passOn(&collected, urgency, followers)
    }

    /// Passes entries and samples on to the file and to the sessions that follow the journal.
    ///
    /// - Parameter urgency: How soon they are written; `nil` if that depends on what they are.
    private func passOn(
        _ record: inout JournalEntryBuilder.Record,
        _ urgency: JournalUrgency?,
        _ followers: [HubSession]
    ) {
        guard !record.entries.isEmpty || !record.samples.isEmpty else { return }
        let areReports = record.entries.allSatisfy { $0.cause == .accessory }
        file.record(record.entries, samples: record.samples, urgency: urgency ?? (areReports ? .report : .usual))
        for entry in record.entries { Self.send(entry, to: followers) }
        record = JournalEntryBuilder.Record()
    }

    private static func send(_ entry: JournalEntry, to followers: [HubSession]) {
        for session in followers {
            guard let role = session.roles[entry.home], let entry = session.projection.entry(entry, as: role) else {
                continue
            }
            session.deliver(.event(.journal(entry)))
        }
    }

    private static func report(_ notice: JournalNotice, to log: Logger) {
        switch notice {
        case .damaged(let error, let path):
            log.error(
                "The journal was damaged. It was moved away, and the hub begins another one.",
                metadata: [
                    LogKey.error: "\(error)", LogKey.path: "\(path)",
                ]
            )
        case .unsupported(let error):
            log.error("The hub runs without a journal.", metadata: [LogKey.error: "\(error)"])
        case .unwritable(let error):
            log.error("The journal can't be written. The hub tries again.", metadata: [LogKey.error: "\(error)"])
        case .writable(let dropped):
            log.notice("The journal is written again.", metadata: ["droppedEntries": "\(dropped)"])
        case .dropped(let bytes):
            log.warning("A journal entry was dropped because it was too large.", metadata: ["bytes": "\(bytes)"])
        }
    }

    // MARK: Reading

    /// Returns entries of the journal.
    func entries(_ selection: JournalSelection) async throws(HubError) -> [JournalEntry] {
        record()
        return try await attempt { () async throws(JournalError) in try await file.entries(selection) }
    }

    /// Returns the entry of an object's last change and its causes.
    func explain(_ object: UUID, in home: UUID) async throws(HubError) -> [JournalEntry] {
        record()
        return try await attempt { () async throws(JournalError) in try await file.explain(object, in: home) }
    }

    /// Returns the samples of an accessory.
    func samples(_ query: JournalSampleQuery, limit: Int) async throws(HubError) -> [JournalSample] {
        record()
        return try await attempt { () async throws(JournalError) in
            try await file.samples(of: query.accessory, in: query.home, since: query.since, limit: limit)
        }
    }

    private func attempt<Value: Sendable>(
        _ body: () async throws(JournalError) -> Value
    ) async throws(HubError) -> Value {
        do throws(JournalError) {
            return try await body()
        } catch {
            if error.code == .noSuchEntry { throw HubError(HomeError(.notFound, error.reason)) }
            throw HubError(.journalUnavailable, "The journal can't be read: \(error.reason)")
        }
    }
}
