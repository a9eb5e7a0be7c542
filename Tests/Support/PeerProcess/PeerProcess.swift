public import Foundation
import Synchronization

/// A separate program that a test communicates with in lines: it waits for lines on standard output and sends lines to
/// standard input.
///
/// Peers are expected to end when their standard input does. This is a class because it represents one process;
/// releasing it kills the process. All methods can be called from any task.
public final class PeerProcess: Sendable {
    /// The time in which a peer that ends by itself must have ended. It ends a hang, and is many times what any takes.
    public static let longestRun = Duration.seconds(600)

    private struct Waiter {
        let accepts: @Sendable (String) -> Bool
        let continuation: CheckedContinuation<String, any Error>
    }

    private struct State {
        var lines: [String] = []
        var partial: [UInt8] = []
        var transcript = ""
        var input: Int32?
        var isOutputClosed = false
        var exitStatus: Int32?
        var waiters: [UInt64: Waiter] = [:]
        var exitWaiters: [CheckedContinuation<Void, Never>] = []
        var lastWaiter: UInt64 = 0
    }

    /// The process ID.
    public let processIdentifier: Int32

    private let name: String
    private let state: Mutex<State>

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: The program's file.
    ///   - arguments: Its arguments.
    ///   - environment: Variables to set or replace; the others are inherited.
    /// - Throws: ``PeerProcessError`` if the program cannot be started.
    public init(_ executable: URL, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        let spawned = try SpawnedProgram(
            executable.path,
            arguments,
            ProcessInfo.processInfo.environment.merging(environment) { $1 }
        )
        name = ([executable.lastPathComponent] + arguments).joined(separator: " ")
        processIdentifier = spawned.identifier
        state = Mutex(State(input: spawned.input))
        let (output, errors) = (OutputPipe(spawned.output), OutputPipe(spawned.errors))
        Thread.detachNewThread { [weak self] in
            output.readToEnd { self?.receive($0) }
            self?.closeOutput()
        }
        Thread.detachNewThread { [weak self] in
            errors.readToEnd { self?.receiveError($0) }
        }
        Thread.detachNewThread { [weak self] in
            spawned.identifier.awaitExit()
            // Other processes may keep its streams open, so their ends aren't awaited.
            for stream in [output, errors] { stream.awaitEmpty() }
            // Reaping frees the process ID, so no signal may be sent in the meantime.
            if self?.reap() == nil {
                _ = spawned.identifier.reap()
            }
        }
    }

    deinit {
        let (input, hasEnded) = state.withLock { ($0.input, $0.exitStatus != nil) }
        if let input {
            close(input)
        }
        if !hasEnded {
            Foundation.kill(processIdentifier, SIGKILL)
        }
    }

    /// Everything the peer has written so far, including standard error.
    public var transcript: String {
        state.withLock { $0.transcript }
    }

    /// Sends a line to the peer.
    ///
    /// - Throws: ``PeerProcessError`` if the peer no longer reads.
    public func send(_ line: String) throws {
        try state.withLock { state in
            guard let input = state.input, input.writeAll(Array((line + "\n").utf8)) else {
                throw error("\(line) could not be sent", state)
            }
        }
    }

    /// Waits for a line that a test accepts, and consumes it. Other lines are kept for later calls.
    ///
    /// - Throws: ``PeerProcessError`` if the peer ends, or the time passes, without such a line.
    public func line(
        _ expectation: String,
        within limit: Duration = Wait.limit,
        where accepts: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timeout = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.fail(id, "\(expectation) did not come within \(limit)")
        }
        defer { timeout.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enlist(Waiter(accepts: accepts, continuation: continuation), id, expectation)
            }
        } onCancel: {
            fail(id, "waiting for \(expectation) was cancelled")
        }
    }

    /// Waits for a line with a JSON value of a type, as ``line(_:within:where:)`` does. Other lines are skipped.
    public func json<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ expectation: String,
        within limit: Duration = Wait.limit,
        where accepts: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        let decode: @Sendable (String) -> Value? = { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
        let line = try await line(expectation, within: limit) { decode($0).map(accepts) ?? false }
        guard let value = decode(line) else { throw PeerProcessError("\(line) is not \(type)") }
        return value
    }

    /// Ends the peer: closes its standard input, sends a termination signal, and kills it if it hasn't ended in time.
    ///
    /// - Returns: Its exit status, or the negative number of the signal that ended it.
    @discardableResult
    public func terminate(within limit: Duration = Wait.limit) async -> Int32 {
        closeInput()
        kill(SIGTERM)
        return await exit(within: limit)
    }

    /// Closes the peer's standard input, which asks it to end.
    public func closeInput() {
        state.withLock { state in
            if let input = state.input.take() {
                close(input)
            }
        }
    }

    /// Sends a signal to the peer, unless it has ended.
    public func kill(_ signal: Int32) {
        state.withLock { state in
            guard state.exitStatus == nil else { return }
            _ = Foundation.kill(processIdentifier, signal)
        }
    }

    /// Waits until the peer has ended, and kills it if it hasn't in time. What it has written is in ``transcript`` then.
    ///
    /// - Returns: Its exit status, or the negative number of the signal that ended it.
    @discardableResult
    public func exit(within limit: Duration = longestRun) async -> Int32 {
        let killer = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.kill(SIGKILL)
        }
        defer { killer.cancel() }
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                guard state.exitStatus == nil else { return true }
                state.exitWaiters.append(continuation)
                return false
            }
            if hasEnded {
                continuation.resume()
            }
        }
        return state.withLock { $0.exitStatus ?? 0 }
    }

    // MARK: - Events

    private func enlist(_ waiter: Waiter, _ id: UInt64, _ expectation: String) {
        let isCancelled = Task.isCancelled
        let outcome = state.withLock { state -> Result<String, any Error>? in
            if let index = state.lines.firstIndex(where: waiter.accepts) {
                return .success(state.lines.remove(at: index))
            }
            if state.isOutputClosed {
                return .failure(error("\(expectation) can no longer come", state))
            }
            if isCancelled {
                return .failure(error("waiting for \(expectation) was cancelled", state))
            }
            state.waiters[id] = waiter
            return nil
        }
        if let outcome {
            waiter.continuation.resume(with: outcome)
        }
    }

    private func fail(_ id: UInt64, _ reason: String) {
        let (waiter, failure) = state.withLock { state in
            (state.waiters.removeValue(forKey: id), error(reason, state))
        }
        waiter?.continuation.resume(throwing: failure)
    }

    private func receive(_ bytes: ArraySlice<UInt8>) {
        let satisfied = state.withLock { state in
            state.partial += bytes
            var satisfied: [(Waiter, String)] = []
            while let end = state.partial.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: state.partial[..<end], as: UTF8.self)
                state.partial.removeSubrange(...end)
                state.transcript += line + "\n"
                if let (id, waiter) = state.waiters.sorted(by: { $0.key < $1.key }).first(where: { $1.accepts(line) }) {
                    state.waiters[id] = nil
                    satisfied.append((waiter, line))
                } else {
                    state.lines.append(line)
                }
            }
            return satisfied
        }
        for (waiter, line) in satisfied {
            waiter.continuation.resume(returning: line)
        }
    }

    private func receiveError(_ bytes: ArraySlice<UInt8>) {
        state.withLock { $0.transcript += String(decoding: bytes, as: UTF8.self) }
    }

    private func closeOutput() {
        let (waiters, failure) = state.withLock { state in
            state.isOutputClosed = true
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), error("it closed its output while a line was awaited", state))
        }
        for waiter in waiters {
            waiter.continuation.resume(throwing: failure)
        }
    }

    private func reap() -> Int32 {
        let (status, waiters) = state.withLock { state in
            let status = processIdentifier.reap()
            state.exitStatus = status
            defer { state.exitWaiters = [] }
            return (status, state.exitWaiters)
        }
        for waiter in waiters {
            waiter.resume()
        }
        return status
    }

    private func error(_ reason: String, _ state: borrowing State) -> PeerProcessError {
        let status = state.exitStatus.map { " (exit status \($0))" } ?? ""
        let output = state.transcript.isEmpty ? "nothing" : "\n\(state.transcript)"
        return PeerProcessError("\(name)\(status): \(reason). It has written so far: \(output)")
    }
}
