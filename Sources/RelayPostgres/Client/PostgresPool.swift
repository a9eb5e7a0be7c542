import Dispatch
import Foundation
import RelayAPI
import Synchronization

/// Threads with a connection each, and what waits for one of them.
final class PostgresPool: Sendable {
    // This is a class because callers and threads share it.

    /// What waits for a thread.
    private struct Job: Sendable {
        /// Does the work, and returns what tells the caller.
        var run: @Sendable (PostgresConnection) throws -> @Sendable () -> Void
        /// Tells the caller that it wasn't done.
        var fail: @Sendable (RelayStoreError) -> Void
    }

    private enum Work {
        case job(Job)
        case appends(AppendBatch)
        case none
        case end
    }

    private struct State {
        var jobs: [Job] = []
        var appends = AppendQueue()
        var prefersJobs = true
        var isClosed = false
        var threads = 0
        var ended: [CheckedContinuation<Void, Never>] = []
        /// While the database can't be reached, whoever asks gets this until then, instead of waiting for another attempt.
        var outage: (error: RelayStoreError, end: ContinuousClock.Instant)?
        /// Where the database is, once that is known.
        var place = "the address of --postgres"
    }

    /// The maximum number of calls that wait for a connection.
    static let maximumWaiting = 10_000
    /// How often a transaction is begun again that another one stood in the way of.
    private static let attempts = 5
    private static let outageTime = Duration.milliseconds(500)

    private let url: String
    private let library: LibPQ
    private let wake = DispatchSemaphore(value: 0)
    private let patience: Duration
    private let onCommit: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// Starts threads. They connect when there is something to do.
    ///
    /// - Parameters:
    ///   - count: The number of connections.
    ///   - patience: The time after which a server is given up that doesn't answer.
    ///   - onCommit: A closure that gets the number of appended entries of each transaction with some.
    init(
        _ url: String,
        connections count: Int,
        patience: Duration,
        onCommit: @escaping @Sendable (Int) -> Void
    ) throws(RelayStoreError) {
        self.url = url
        self.patience = patience
        self.onCommit = onCommit
        library = try LibPQ()
        state.withLock { $0.threads = count }
        for number in 1...max(1, count) {
            let thread = Thread { [self] in work() }
            thread.name = "postgres-\(number)"
            thread.start()
        }
    }

    /// Where the database is, without secrets.
    var place: String { state.withLock { $0.place } }

    // MARK: Callers

    /// Does something on a connection. It may run again if the connection is lost, so it must be harmless to repeat.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(RelayStoreError) -> Value {
        let result: Result<Value, RelayStoreError> = await withCheckedContinuation { continuation in
            let job = Job { connection in
                let value = try body(connection)
                return { continuation.resume(returning: .success(value)) }
            } fail: { error in
                continuation.resume(returning: .failure(error))
            }
            admit(job.fail) { $0.jobs.append(job) }
        }
        return try result.get()
    }

    /// Appends entries, with those of others that wait.
    func append(_ request: AppendQueue.Request) async throws(RelayStoreError) -> [AppendResult] {
        let result: Result<[AppendResult], RelayStoreError> = await withCheckedContinuation { continuation in
            let waiting = AppendQueue.Waiting(request: request) { continuation.resume(returning: $0) }
            admit({ waiting.complete(.failure($0)) }) { $0.appends.add(waiting) }
        }
        return try result.get()
    }

    private func admit(_ fail: (RelayStoreError) -> Void, _ add: (inout State) -> Void) {
        let error = state.withLock { state -> RelayStoreError? in
            if state.isClosed { return .closed }
            guard state.jobs.count + state.appends.count < Self.maximumWaiting else {
                return .failure(
                    "PostgreSQL at \(state.place) is too slow: \(Self.maximumWaiting) requests wait for it."
                )
            }
            add(&state)
            return nil
        }
        if let error { fail(error) } else { wake.signal() }
    }

    /// Refuses new calls, does what waits, and ends the threads.
    func close() async {
        await withCheckedContinuation { continuation in
            let threads = state.withLock { state in
                state.isClosed = true
                if state.threads > 0 { state.ended.append(continuation) }
                return state.threads
            }
            if threads == 0 { continuation.resume() }
            for _ in 0..<threads { wake.signal() }
        }
    }

    // MARK: Threads

    private func next() -> Work {
        state.withLock { state in
            if !state.jobs.isEmpty, state.prefersJobs || state.appends.count == 0 {
                state.prefersJobs = false
                return .job(state.jobs.removeFirst())
            }
            state.prefersJobs = true
            if let batch = state.appends.next() { return .appends(batch) }
            if !state.jobs.isEmpty { return .job(state.jobs.removeFirst()) }
            return state.isClosed && state.appends.count == 0 ? .end : .none
        }
    }

    private func work() {
        var connection: PostgresConnection?
        while true {
            wake.wait()
            switch next() {
            case .none: continue
            case .end:
                // The next thread ends too.
                wake.signal()
                return end()
            case .job(let job):
                switch attempt(&connection, { try job.run($0) }) {
                case .success(let complete): complete()
                case .failure(let error): job.fail(error)
                }
            case .appends(let batch):
                let outcome = attempt(&connection) { try batch.run($0) }
                let isMore = state.withLock { state in
                    state.appends.finished(batch)
                    return state.appends.count > 0
                }
                if case .success(let results) = outcome {
                    let count = results.reduce(0) { $0 + ((try? $1.get())?.count { $0.isAppended } ?? 0) }
                    if count > 0 { onCommit(count) }
                }
                batch.complete(outcome)
                // What had to wait for this batch has used up its signal.
                if isMore { wake.signal() }
            }
            if state.withLock({ $0.isClosed }) { wake.signal() }
        }
    }

    private func end() {
        let ended = state.withLock { state in
            state.threads -= 1
            defer { if state.threads == 0 { state.ended = [] } }
            return state.threads == 0 ? state.ended : []
        }
        for continuation in ended { continuation.resume() }
    }

    /// Does something on a connection, which is opened if there is none. If a connection that was open is lost, it is done
    /// once more on a new one: the server may have been restarted long ago.
    private func attempt<Value>(
        _ connection: inout PostgresConnection?,
        _ body: (PostgresConnection) throws -> Value
    ) -> Result<Value, RelayStoreError> {
        var wasOpen = connection != nil
        var attempts = 0
        while true {
            attempts += 1
            do {
                let current = try connection ?? connect()
                connection = current
                return .success(try body(current))
            } catch let error as RelayStoreError {
                return .failure(error)
            } catch let failure as PostgresFailure {
                switch failure.kind {
                case .lost:
                    connection = nil
                    if wasOpen {
                        wasOpen = false
                        continue
                    }
                case .again where attempts < Self.attempts: continue
                case .again, .full, .other: break
                }
                return .failure(failure.storeError(at: place))
            } catch {
                return .failure(.failure("\(error)"))
            }
        }
    }

    private func connect() throws -> PostgresConnection {
        let outage = state.withLock { $0.outage }
        if let outage, outage.end > .now { throw outage.error }
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(url, library, patience: patience)
            state.withLock { state in
                state.outage = nil
                state.place = connection.place
            }
            return connection
        } catch {
            let reason = error.storeError(at: place)
            state.withLock { $0.outage = (reason, .now + Self.outageTime) }
            throw reason
        }
    }
}

extension AppendResult {
    /// Whether the entry is stored.
    fileprivate var isAppended: Bool { if case .appended = self { true } else { false } }
}
