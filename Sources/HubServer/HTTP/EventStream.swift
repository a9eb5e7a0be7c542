import Foundation
import HomeHub
import HubAPI
import LocalRPC
import Synchronization

/// A logical connection over HTTP: one session of the hub, whose events leave on a stream and whose requests come one by
/// one.
///
/// Events are numbered. A reply names the last event before it, so that a client can restore the order. The connection
/// outlives its stream, keeps the last events, and continues on the next stream after the event that the client names.
final class EventStream: Sendable, Identifiable {
    // This is a class because a connection has an identity.

    /// A reply, and the number of the last event before it.
    struct Reply: Sendable {
        var reply: HubReply
        var after: Int
    }

    /// An event as it is sent.
    private struct Frame {
        var number: Int
        var bytes: [UInt8]
    }

    /// A part of the stream.
    enum Part: Sendable {
        /// Events.
        case events([UInt8])
        /// Nothing happened for a while.
        case heartbeat
        /// The stream is over; the last bytes to send.
        case end([UInt8])
    }

    private struct State {
        var session: HubSession?
        var nextRequest = 1
        var waiting: [Int: CheckedContinuation<Reply, Never>] = [:]
        /// The number of the last event.
        var last = 0
        /// The last events, the newest at the end.
        var frames: ArraySlice<Frame> = []
        var bytes = 0
        /// The number of bytes of the events from `next` on.
        var unread = 0
        /// The number of the next event to send.
        var next = 1
        var backlog: Backlog
        /// The ID of the stream that reads; `nil` if there is none.
        var reader: UUID?
        var wake: CheckedContinuation<Void, Never>?
        var hasHeartbeat = false
        var isSuperseded = false
        var welcome: Welcome?
        var end: HubError?
    }

    /// The maximum number of bytes that are written at once.
    private static let batchBytes = 64 << 10

    let id = UUID()
    /// The user and the device.
    let authority: SessionAuthority
    private let keptBytes: Int
    private let keepsEvents: Bool
    private let state: Mutex<State>
    private let messages: AsyncStream<HubMessage>.Continuation

    /// Opens a connection.
    ///
    /// - Parameter keepsEvents: Whether a stream will read the events.
    init(to hub: HomeHub, as authority: SessionAuthority, limits: HTTPLimits, keepsEvents: Bool = true) {
        self.authority = authority
        self.keepsEvents = keepsEvents
        keptBytes = limits.keptBytes
        state = Mutex(State(backlog: Backlog(limits: limits.backlog)))
        // The task below empties the buffer as fast as it fills.
        let (stream, continuation) = AsyncStream.makeStream(of: HubMessage.self)
        messages = continuation
        let session = hub.accept(as: authority) { continuation.yield($0) }
        state.withLock { $0.session = session }
        Task {
            for await message in stream { self.handle(message) }
        }
    }

    /// The hub's introduction; `nil` before the session has started.
    var welcome: Welcome? {
        get { state.withLock { $0.welcome } }
        set { state.withLock { $0.welcome = newValue } }
    }

    /// The reason why the connection has ended; `nil` if it is open.
    var end: HubError? { state.withLock { $0.end } }
    /// Whether a stream reads.
    var isAttached: Bool { state.withLock { $0.reader != nil } }

    // MARK: Requests

    /// Sends a request to the hub and waits for the reply.
    func call(_ method: String, _ parameters: Data, key: UUID? = nil) async -> Reply {
        await withCheckedContinuation { continuation in
            let request = state.withLock { state -> (HubSession, RPCRequest)? in
                guard state.end == nil, let session = state.session else { return nil }
                let id = state.nextRequest
                state.nextRequest += 1
                state.waiting[id] = continuation
                return (session, RPCRequest(id: id, method: method, parameters: parameters, key: key))
            }
            guard let (session, request) = request else {
                return continuation.resume(returning: Reply(reply: .failure(end ?? Self.over), after: 0))
            }
            session.receive(request)
        }
    }

    /// Ends the connection.
    func close(_ error: HubError = over) {
        state.withLock { $0.session }?.close(error)
    }

    static let over = HubError(.streamEnded, "The connection has ended. Open a new stream with POST /api/events.")

    // MARK: Messages from the hub

    private func handle(_ message: HubMessage) {
        switch message {
        case .reply(let id, let reply):
            let (continuation, last) = state.withLock { ($0.waiting.removeValue(forKey: id), $0.last) }
            continuation?.resume(returning: Reply(reply: reply, after: last))
        case .event(let event): handle(event)
        case .closed(let error): end(with: error)
        }
    }

    private func handle(_ event: HubEvent) {
        guard keepsEvents else { return }
        let payload: Data
        do {
            payload = try event.payload()
        } catch {
            // A client that missed an event would show a wrong state.
            return close(HubError(.hubFailure, "An event cannot be written as JSON: \(error)"))
        }
        enum Step { case none, pause(HubSession?), close(HubSession?) }
        let (step, wake) = state.withLock { state -> (Step, CheckedContinuation<Void, Never>?) in
            guard state.end == nil else { return (.none, nil) }
            guard state.backlog.allows(unread: state.unread) else { return (.close(state.session), nil) }
            state.last += 1
            var bytes = Array("event: \(event.method)\ndata: ".utf8)
            bytes += payload
            bytes += Array("\n\n".utf8)
            state.frames.append(Frame(number: state.last, bytes: bytes))
            state.bytes += bytes.count
            state.unread += bytes.count
            let isBehind = state.backlog.sent(bytes: bytes.count, isReset: event.isReset, unread: state.unread)
            Self.trim(&state, to: keptBytes)
            return (isBehind ? .pause(state.session) : .none, state.wake.take())
        }
        wake?.resume()
        switch step {
        case .none: break
        case .pause(let session): session?.pauseEvents()
        case .close(let session): session?.close(HubError(.connectionLost, "The client does not read its messages."))
        }
    }

    /// Removes the oldest events that were sent.
    private static func trim(_ state: inout State, to limit: Int) {
        while state.bytes - state.unread > limit, let first = state.frames.first, first.number < state.next {
            state.bytes -= first.bytes.count
            state.frames.removeFirst()
        }
    }

    private func end(with error: HubError) {
        let (waiting, wake, last) = state.withLock { state in
            state.end = state.end ?? error
            state.session = nil
            defer { state.waiting = [:] }
            return (state.waiting.values, state.wake.take(), state.last)
        }
        messages.finish()
        for continuation in waiting { continuation.resume(returning: Reply(reply: .failure(error), after: last)) }
        wake?.resume()
    }

    // MARK: Streams

    /// Begins to send events on a new stream, in place of the one before.
    ///
    /// - Parameters:
    ///   - reader: The ID of the stream.
    ///   - after: The number of the last event that the client has; `nil` for none. If the following events are gone, the
    ///     hub sends the full state.
    func attach(_ reader: UUID, after: Int?) {
        let (wake, session) = state.withLock { state -> (CheckedContinuation<Void, Never>?, HubSession?) in
            state.reader = reader
            state.isSuperseded = false
            state.hasHeartbeat = false
            let oldest = state.frames.first?.number ?? state.last + 1
            let isKept = after.map { $0 + 1 >= oldest && $0 <= state.last } ?? false
            state.next = isKept ? (after ?? 0) + 1 : state.last + 1
            let next = state.next
            state.unread = state.frames.reduce(0) { $1.number < next ? $0 : $0 + $1.bytes.count }
            return (state.wake.take(), isKept ? nil : state.session)
        }
        wake?.resume()
        session?.resendState()
        recordWritten()
    }

    /// Ends a stream, because it is over. The connection stays.
    ///
    /// - Returns: Whether the stream was the current one.
    func detach(_ reader: UUID) -> Bool {
        let (wasCurrent, wake) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.reader == reader else { return (false, nil) }
            state.reader = nil
            return (true, state.wake.take())
        }
        wake?.resume()
        return wasCurrent
    }

    /// Ends the current stream, because the device has opened another. The connection stays.
    func supersede() {
        state.withLock { state in
            state.isSuperseded = true
            return state.wake.take()
        }?.resume()
    }

    /// Makes the current stream send a sign of life.
    func beat() {
        state.withLock { state in
            state.hasHeartbeat = true
            return state.wake.take()
        }?.resume()
    }

    /// Waits for something to send on a stream.
    ///
    /// - Parameter run: The hub's run, for the events' IDs.
    /// - Returns: `nil` if another stream has replaced this one, or the task was canceled.
    func next(for reader: UUID, run: String) async -> Part? {
        while !Task.isCancelled {
            if let part = state.withLock({ Self.part(&$0, for: reader, run) }) { return part.value }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        let isReady =
                            state.reader != reader || state.next <= state.last || state.hasHeartbeat
                            || state.isSuperseded || state.end != nil || Task.isCancelled
                        if !isReady { state.wake = continuation }
                        return isReady
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.wake.take() }?.resume()
            }
        }
        return nil
    }

    private struct Next {
        var value: Part?
    }

    private static func part(_ state: inout State, for reader: UUID, _ run: String) -> Next? {
        guard state.reader == reader else { return Next(value: nil) }
        if state.isSuperseded { return Next(value: .end(Array("event: superseded\ndata: {}\n\n".utf8))) }
        if state.next <= state.last {
            var bytes: [UInt8] = []
            for frame in state.frames where frame.number >= state.next {
                bytes += Array("id: \(run).\(frame.number)\n".utf8)
                bytes += frame.bytes
                state.next = frame.number + 1
                state.unread -= frame.bytes.count
                if bytes.count >= batchBytes { break }
            }
            state.hasHeartbeat = false
            return Next(value: .events(bytes))
        }
        if let error = state.end { return Next(value: .end(Array("event: ended\ndata: \(error.json)\n\n".utf8))) }
        guard state.hasHeartbeat else { return nil }
        state.hasHeartbeat = false
        return Next(value: .heartbeat)
    }

    /// Records that what ``next(for:run:)`` returned was written.
    func recordWritten() {
        let session = state.withLock { state -> HubSession? in
            state.unread == 0 && state.backlog.drained() ? state.session : nil
        }
        session?.resumeEvents()
    }
}

extension HubError {
    /// The error as the value of the member `error` of a response.
    var json: String {
        struct Body: Encodable {
            var code: String
            var message: String
            var data: RPCErrorDetails?
        }
        let details = RPCErrorDetails(self, hasCode: false)
        let body = Body(code: code.rawValue, message: reason, data: details.isEmpty ? nil : details)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
