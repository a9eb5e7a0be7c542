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
/// is collected.
actor JournalRecorder: HubPart {
    private let file: JournalFile
    let database: HomeDatabase
    private let sessions: SessionRegistry
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
        case .here:
            Task(executorPreference: executor) { await self.recordFew() }
        case .now:
            Task { await self.record() }
        case .later:
            Task { [weak self] in
                try? await Task.sleep(for: JournalIntake.moment)
                await self?.record()
            }
        case nil:
            break
        }
    }

    /// Records what waits if it is little, and has the rest recorded where it may take its time.
    private func recordFew() {
        if intake.withLock({ $0.size <= JournalIntake.few }) {
            record()
        } else {
            Task(executorPreference: globalConcurrentExecutor) { await self.record() }
        }
    }

    /// Records what waits.
    func record() {
        let (items, dropped) = intake.withLock { $0.take(.now) }
        if dropped > 0 {
            log.warning(
                "The journal missed what happened, because too much happened at once.",
                metadata: [
                    "count": "\(dropped)"
                ]
            )
        }
        let followers = sessions.all.filter(\.followsJournal)
        for item in items {
            switch item {
            case .activity(let activity, let time):
                let record = builder.record(activity, at: time)
                guard !record.entries.isEmpty || !record.samples.isEmpty else { continue }
                file.record(record.entries, samples: record.samples)
                for entry in record.entries { Self.send(entry, to: followers) }
            case .state(let state):
                builder.follow(state)
            }
        }
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
