import Foundation
import HomeHub
import HubAPI
import LocalRPC
import NIOCore
import NIOHTTPTypes
import Synchronization
import WebServer

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

    /// An event as it is sent, without its ID.
    private struct Frame {
        var number: Int
        /// The bytes, which connections with the same view share.
        var bytes: ByteBuffer
        var count: Int { bytes.readableBytes }
    }

    /// A stream that sends the events.
    private struct Reader {
        var id: UUID
        var channel: any Channel
        /// The beginning of the events' IDs.
        var run: String
        /// Whether the channel's event loop is about to send, or waits until the client has read.
        var isScheduled = false
        /// When something was last sent.
        var sent = NIODeadline.distantPast
        /// Whether the last bytes were sent.
        var isOver = false
        /// Waits for the end.
        var end: CheckedContinuation<Void, Never>?
    }

    /// Something to send.
    private enum Part {
        /// Events, or a sign of life.
        case bytes(ByteBuffer)
        /// The last bytes of the stream.
        case end(ByteBuffer, CheckedContinuation<Void, Never>?)
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
        /// The stream that reads; `nil` if there is none.
        var reader: Reader?
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
    private let pace: EventPace?
    private let state: Mutex<State>

    /// Opens a connection.
    ///
    /// - Parameter dispatcher: Passes the events on for a stream that reads them; `nil` if none will.
    init(to hub: HomeHub, as authority: SessionAuthority, limits: HTTPLimits, _ dispatcher: EventDispatcher? = nil) {
        self.authority = authority
        keptBytes = limits.keptBytes
        pace = dispatcher?.pace
        state = Mutex(State(backlog: Backlog(limits: limits.backlog)))
        // The session forgets the closure when it closes.
        let session = hub.accept(as: authority) { message in
            if let dispatcher { dispatcher.pass(message, to: self) } else { self.receive(message) }
        }
        state.withLock { if $0.end == nil { $0.session = session } }
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

    /// Handles a reply, or the end of the session.
    private func receive(_ message: HubMessage) {
        switch message {
        case .reply(let id, let reply):
            let (continuation, last, reader) = state.withLock { state in
                (state.waiting.removeValue(forKey: id), state.last, state.next <= state.last ? state.reader : nil)
            }
            // The client may need the events before the reply to show it.
            if let reader { send(on: reader, at: .distantPast) }
            continuation?.resume(returning: Reply(reply: reply, after: last))
        case .event: break
        case .closed(let error): end(with: error)
        }
    }

    /// Handles a message in the hub's order.
    func receive(_ message: HubMessage, _ encoder: inout EventEncoder) {
        guard case .event(let event) = message else { return receive(message) }
        let bytes: ByteBuffer
        do {
            bytes = try encoder.bytes(of: event)
        } catch {
            // A client that missed an event would show a wrong state.
            return close(HubError(.hubFailure, "An event cannot be written as JSON: \(error)"))
        }
        enum Step { case none, pause(HubSession?), close(HubSession?) }
        let (step, reader, isFull) = state.withLock { state -> (Step, Reader?, Bool) in
            guard state.end == nil else { return (.none, nil, false) }
            guard state.backlog.allows(unread: state.unread) else { return (.close(state.session), nil, false) }
            state.last += 1
            let frame = Frame(number: state.last, bytes: bytes)
            state.frames.append(frame)
            state.bytes += frame.count
            state.unread += frame.count
            let isBehind = state.backlog.sent(bytes: frame.count, isReset: event.isReset, unread: state.unread)
            Self.trim(&state, to: keptBytes)
            let wasFull = state.unread - frame.count >= Self.batchBytes
            let isFull = state.unread >= Self.batchBytes && !wasFull
            let reader = Self.toSchedule(&state) ?? (isFull ? state.reader : nil)
            return (isBehind ? .pause(state.session) : .none, reader, isFull)
        }
        // What fills a write waits for nothing.
        if let reader { send(on: reader, at: isFull ? .distantPast : earliest(reader)) }
        switch step {
        case .none: break
        case .pause(let session): session?.pauseEvents()
        case .close(let session): session?.close(HubError(.connectionLost, "The client does not read its messages."))
        }
    }

    /// Removes the oldest events that were sent.
    private static func trim(_ state: inout State, to limit: Int) {
        while state.bytes - state.unread > limit, let first = state.frames.first, first.number < state.next {
            state.bytes -= first.count
            state.frames.removeFirst()
        }
    }

    private func end(with error: HubError) {
        let (waiting, reader, last) = state.withLock { state in
            state.end = state.end ?? error
            state.session = nil
            defer { state.waiting = [:] }
            return (state.waiting.values, Self.toSchedule(&state), state.last)
        }
        for continuation in waiting { continuation.resume(returning: Reply(reply: .failure(error), after: last)) }
        schedule(reader)
    }

    // MARK: Streams

    /// Begins to send events on a new stream, in place of the one before.
    ///
    /// - Parameters:
    ///   - reader: The ID of the stream.
    ///   - channel: The channel to send them on.
    ///   - run: The hub's run, for the events' IDs.
    ///   - after: The number of the last event that the client has; `nil` for none. If the following events are gone, the
    ///     hub sends the full state.
    func attach(_ reader: UUID, _ channel: any Channel, run: String, after: Int?) {
        let (former, session) = state.withLock { state -> (CheckedContinuation<Void, Never>?, HubSession?) in
            let former = state.reader?.end
            if state.reader == nil { pace?.add() }
            // What follows is sent once the channel says when its client has read.
            state.reader = Reader(id: reader, channel: channel, run: run, isScheduled: true)
            state.isSuperseded = false
            state.hasHeartbeat = false
            let oldest = state.frames.first?.number ?? state.last + 1
            let isKept = after.map { $0 + 1 >= oldest && $0 <= state.last } ?? false
            state.next = isKept ? (after ?? 0) + 1 : state.last + 1
            let next = state.next
            state.unread = state.frames.reduce(0) { $1.number < next ? $0 : $0 + $1.count }
            return (former, isKept ? nil : state.session)
        }
        former?.resume()
        session?.resendState()
        recordWritten()
        channel.eventLoop.execute {
            let flow = try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self)
            flow?.onWritable = { [weak self] in self?.send(on: reader) }
            self.send(on: reader)
        }
    }

    /// Waits until a stream is over.
    func finished(_ reader: UUID) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard let current = state.reader, current.id == reader, !current.isOver, !Task.isCancelled else {
                        return true
                    }
                    state.reader?.end = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.reader?.id == reader ? $0.reader?.end.take() : nil }?.resume()
        }
    }

    /// Ends a stream, because it is over. The connection stays.
    ///
    /// - Returns: Whether the stream was the current one.
    func detach(_ reader: UUID) -> Bool {
        let (wasCurrent, end) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard let current = state.reader, current.id == reader else { return (false, nil) }
            state.reader = nil
            pace?.remove()
            return (true, current.end)
        }
        end?.resume()
        return wasCurrent
    }

    /// Ends the current stream, because the device has opened another. The connection stays.
    func supersede() {
        schedule(
            state.withLock { state in
                state.isSuperseded = true
                return Self.toSchedule(&state)
            }
        )
    }

    /// Makes the current stream send a sign of life.
    func beat() {
        schedule(
            state.withLock { state in
                state.hasHeartbeat = true
                return Self.toSchedule(&state)
            }
        )
    }

    // MARK: Sending

    /// Returns the stream if its event loop doesn't know yet that there is something to send.
    private static func toSchedule(_ state: inout State) -> Reader? {
        guard let reader = state.reader, !reader.isScheduled, !reader.isOver else { return nil }
        state.reader?.isScheduled = true
        return reader
    }

    private func schedule(_ reader: Reader?) {
        guard let reader else { return }
        send(on: reader, at: .distantPast)
    }

    /// When the next events can be sent on a stream.
    private func earliest(_ reader: Reader) -> NIODeadline {
        pace?.time(after: reader.sent, at: reader.channel.eventLoop.now) ?? .distantPast
    }

    /// Sends what there is at a time, or now if that has passed. A send that finds nothing does nothing.
    private func send(on reader: Reader, at time: NIODeadline) {
        let loop = reader.channel.eventLoop
        if time == .distantPast || time <= loop.now {
            loop.execute { self.send(on: reader.id) }
        } else {
            loop.scheduleTask(deadline: time) { self.send(on: reader.id) }
        }
    }

    /// Sends what there is, unless the client must read first. Runs on the event loop of the stream's channel.
    private func send(on reader: UUID) {
        guard let channel = state.withLock({ $0.reader?.id == reader ? $0.reader?.channel : nil }) else { return }
        var hasSent = false
        while channel.isWritable, let part = state.withLock({ Self.part(&$0, for: reader) }) {
            hasSent = true
            switch part {
            case .bytes(let bytes): channel.write(HTTPResponsePart.body(bytes), promise: nil)
            case .end(let bytes, let end):
                channel.write(HTTPResponsePart.body(bytes), promise: nil)
                end?.resume()
            }
        }
        guard hasSent else { return }
        let now = channel.eventLoop.now
        state.withLock { if $0.reader?.id == reader { $0.reader?.sent = now } }
        channel.flush()
        recordWritten()
    }

    /// Returns the next part to send; `nil` if there is none.
    private static func part(_ state: inout State, for id: UUID) -> Part? {
        guard let reader = state.reader, reader.id == id, !reader.isOver else { return nil }
        func end(_ text: String) -> Part {
            state.reader?.isOver = true
            return .end(ByteBuffer(string: text), state.reader?.end.take())
        }
        if state.isSuperseded { return end("event: superseded\ndata: {}\n\n") }
        if state.next <= state.last {
            state.hasHeartbeat = false
            return .bytes(events(&state, run: reader.run))
        }
        if let error = state.end { return end("event: ended\ndata: \(error.json)\n\n") }
        guard state.hasHeartbeat else {
            state.reader?.isScheduled = false
            return nil
        }
        state.hasHeartbeat = false
        return .bytes(ByteBuffer(string: ":\n\n"))
    }

    /// Returns the next events with their IDs, as many as are sent at once.
    private static func events(_ state: inout State, run: String) -> ByteBuffer {
        var bytes = ByteBuffer()
        // Frames are numbered without gaps.
        let first = state.frames.startIndex + max(0, state.next - (state.frames.first?.number ?? 0))
        for frame in state.frames[min(first, state.frames.endIndex)...] {
            let id = "id: \(run).\(frame.number)\n"
            bytes.reserveCapacity(minimumWritableBytes: id.utf8.count + frame.count)
            bytes.writeString(id)
            bytes.writeImmutableBuffer(frame.bytes)
            state.next = frame.number + 1
            state.unread -= frame.count
            if bytes.readableBytes >= batchBytes { break }
        }
        return bytes
    }

    /// Records that what there was to send was written.
    private func recordWritten() {
        let session = state.withLock { state -> HubSession? in
            state.unread == 0 && state.backlog.drained() ? state.session : nil
        }
        session?.resumeEvents()
    }
}
