import Crypto
import Foundation
import HTTPTypes
import HubAPI
import HummingbirdCore
import NIOCore
import Synchronization
import WebServer

/// Responds to the requests of a page that controls a program.
struct ControlResponder: Sendable {
    private let backend: any ControlBackend
    private let page: PageEndpoint
    private let origin = RequestOrigin(scheme: "http")
    private let tokenDigest: [UInt8]
    private let limits: HTTPLimits
    private let clock: any Clock<Duration>
    /// The open streams of events.
    let streams: ControlStreams

    init(
        backend: any ControlBackend,
        page: PageEndpoint,
        tokenDigest: [UInt8],
        limits: HTTPLimits,
        clock: any Clock<Duration>
    ) {
        self.backend = backend
        self.page = page
        self.tokenDigest = tokenDigest
        self.limits = limits
        self.clock = clock
        streams = ControlStreams(limit: limits.controlStreams)
    }

    /// Returns the digest of a token. Digests are compared, so the time of the comparison says nothing about a token.
    static func digest(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(token.utf8)))
    }

    /// Responds to a request.
    @Sendable func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        var request = request
        if let refusal = origin.refusal(of: request.head, at: connection.channel.localAddress) {
            return try await refusal.write(to: request, writer, on: connection)
        }
        guard request.uri.path.hasPrefix(MethodEndpoint.prefix) else {
            let isRead = request.method == .get || request.method == .head
            let answer = isRead ? page.answer(to: request) : .notAllowed("GET, HEAD")
            return try await answer.write(to: request, writer, on: connection)
        }
        switch await body(of: &request, connection) {
        case .failure(let refusal): try await refusal.answer.write(to: request, writer, on: connection)
        case .success(let body):
            guard request.uri.path == EventEndpoint.path else {
                return try await call(request, body).write(to: request, writer, on: connection)
            }
            try await follow(request, body, writer, connection)
        }
    }

    private func body(
        of request: inout Request,
        _ connection: RequestConnection
    ) async -> Result<ByteBuffer, Refusal> {
        guard request.method == .post else { return .failure(Refusal(.notAllowed("POST"))) }
        guard Self.digest(request.token) == tokenDigest else {
            let reason = "The token is wrong. Open the address that the program printed when it started."
            return .failure(Refusal(HubError(.signedOut, reason)))
        }
        let reader = RequestBodyReader(time: limits.bodyTime)
        return await reader.json(of: &request, upTo: limits.bodyBytes, connection.channel)
    }

    private func call(_ request: Request, _ body: ByteBuffer) async -> HTTPAnswer {
        do throws(HubError) {
            let method = String(request.uri.path.dropFirst(MethodEndpoint.prefix.count))
            let result = try await backend.call(method, Data(body.readableBytesView))
            var body = ByteBuffer(string: #"{"result":"#)
            body.writeBytes(result)
            body.writeString("}")
            return HTTPAnswer(type: "application/json", body, [.cacheControl: "no-store"])
        } catch {
            return HTTPAnswer(error)
        }
    }

    // MARK: Events

    private struct Position: Decodable {
        var after: UInt64?
    }

    private func follow(
        _ request: Request,
        _ body: ByteBuffer,
        _ writer: consuming ResponseWriter,
        _ connection: RequestConnection
    ) async throws {
        let position: UInt64
        do throws(HubError) {
            let after = try body.decoded(as: Position.self).after
            // A position of an earlier run may be later than all events.
            let current = try await backend.events(after: nil).next
            position = min(after ?? current, current)
            try streams.add()
        } catch {
            return try await HTTPAnswer(error).write(to: request, writer, on: connection)
        }
        defer { streams.remove() }
        var head = HTTPResponse(status: .ok, headerFields: HTTPAnswer.commonHeaders)
        head.headerFields[.contentType] = "text/event-stream"
        head.headerFields[.cacheControl] = "no-store"
        var output = try await writer.writeHead(head)
        let hello = #"{"assets":"\#(page.files.hash)","next":\#(position)}"#
        try await output.write(ByteBuffer(string: "event: hello\ndata: \(hello)\n\n"))
        try await request.body.consumeWithCancellationOnInboundClose { _ in
            var position = position
            while !Task.isCancelled, !streams.isStopped {
                guard let batch = try await next(after: position) else {
                    try await output.write(ByteBuffer(string: ":\n\n"))
                    continue
                }
                var text = ByteBuffer()
                if batch.missed > 0 { text.writeString("event: missed\ndata: {\"count\":\(batch.missed)}\n\n") }
                var number = batch.next - UInt64(batch.events.count)
                for event in batch.events {
                    number += 1
                    text.writeString("id: \(number)\nevent: \(event.name)\ndata: ")
                    text.writeBytes(event.json)
                    text.writeString("\n\n")
                }
                try await output.write(text)
                position = batch.next
            }
        }
        try await output.finish(nil)
    }

    /// Returns the next events; `nil` if it is time for a sign of life.
    private func next(after position: UInt64) async throws -> ControlEventBatch? {
        try await withThrowingTaskGroup(of: ControlEventBatch?.self) { group in
            group.addTask { try await backend.events(after: position) }
            group.addTask {
                try await clock.sleep(for: limits.heartbeat)
                return nil
            }
            group.addTask {
                await streams.stopped()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

/// The open streams of events of a ``ControlResponder``, within a limit.
final class ControlStreams: Sendable {
    // This is a class because all connections share it.

    private struct State {
        var count = 0
        var isStopped = false
        var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether the listener stops.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Counts a stream.
    ///
    /// - Throws: ``HubAPI/HubError/Code/tooManyRequests`` if there are too many.
    func add() throws(HubError) {
        let isAdded = state.withLock { state in
            guard state.count < limit, !state.isStopped else { return false }
            state.count += 1
            return true
        }
        if !isAdded { throw HubError(.tooManyRequests, "There are too many open pages. Close one.") }
    }

    /// Counts the end of a stream.
    func remove() {
        state.withLock { $0.count -= 1 }
    }

    /// Waits until the listener stops, or the task is canceled.
    func stopped() async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.isStopped || Task.isCancelled
                    if !isOver { state.waiting[id] = continuation }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    /// Ends all streams.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }
}
