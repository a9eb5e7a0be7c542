import Foundation
import HTTPTypes
import HomeIdentity
import HummingbirdCore
import NIOCore
import RelayAPI
import WebServer

/// Opens live streams, and takes the frames that clients send up them.
struct LiveEndpoint: Sendable {
    /// The header with the number of a request with frames.
    static let order = "Hearth-Order"
    /// The header with the ID of a stream.
    static let streamHeader = "Hearth-Stream"

    let store: any RelayStore
    let gate: RequestGate
    let live: LiveRegistry
    let clock: any Clock<Duration>
    let gapTime: TimeAmount

    /// The longest pause of a client that has sent more than the rate allows: its request must not time out.
    private static let longestPause = Duration.seconds(20)

    /// What a key may do with a stream.
    private struct Permission {
        /// The number of the feed's last entry.
        var seq: Int64?
        var mayOpen = false
        var quota: HouseQuota
    }

    /// Opens the stream of a request.
    func open(in house: HouseID, _ call: RelayCall) async throws -> LiveStream {
        let feed = try call.text("feed").map { text throws(RelayError) in
            guard let feed = FeedID(hex: text) else { throw .malformed("“feed” must be the ID of a feed.") }
            return feed
        }
        let takesPipes = try call.number("pipes") == 1
        let isAtDoor = try call.number("door") == 1
        guard feed == nil || !isAtDoor else { throw RelayError.malformed("Who reads a feed needs no door.") }
        let origin: PipeOrigin? = isAtDoor ? .door(call.key) : feed.map { .feed($0) }
        let first = try await permission(house, origin, call)
        let stream = LiveStream(
            of: call.key,
            in: house,
            origin,
            quota: first.quota,
            takesPipes: takesPipes,
            mayOpen: first.mayOpen
        )
        let superseded = try live.add(stream)
        do {
            if let superseded {
                live.remove(superseded)
                await superseded.end()
            }
            // The right may have been taken before the registry knew of the stream. What was appended meanwhile is told.
            let permission = try await permission(house, origin, call)
            if !permission.mayOpen { stream.mayOpen = false }
            if takesPipes { live.stream(stream.id, in: house)?.pipes.add(stream) }
            if let feed, let seq = permission.seq { stream.wake(feed, seq: seq) } else { stream.ping(after: .zero) }
            return stream
        } catch {
            live.remove(stream)
            throw error
        }
    }

    /// Checks the right to a stream.
    private func permission(_ house: HouseID, _ origin: PipeOrigin?, _ call: RelayCall) async throws -> Permission {
        let feed: FeedID
        switch origin {
        case nil: return Permission(quota: try await store.houseClass(of: house, as: call.key).quota)
        case .door(let key)?:
            guard let quota = live.quota(of: house, atDoor: key, call.now) else { throw RelayError.notFound }
            return Permission(mayOpen: true, quota: quota)
        case .feed(let named)?: feed = named
        }
        let seq = try await store.status(of: feed, in: house, as: call.key, at: call.now).seq
        let access = try await store.access(to: feed, in: house, as: call.key)
        // An owner is the hub, which has no need of a pipe to itself.
        return Permission(
            seq: seq,
            mayOpen: access.rights?.contains(.pipe) == true,
            quota: access.houseClass.quota
        )
    }

    /// Sends frames until the stream is over.
    func send(
        _ stream: LiveStream,
        _ request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection,
        adding common: HTTPFields
    ) async throws {
        defer {
            live.remove(stream)
            // Without its hub, a house has no doors.
            if stream.origin == nil { Task { [live] in await live.endClosedDoors(of: stream.house, at: 0) } }
        }
        var head = HTTPResponse(status: .ok, headerFields: common)
        head.headerFields[.contentType] = HTTPAnswer.binaryType
        if let name = HTTPField.Name(Self.streamHeader) { head.headerFields[name] = stream.id.uuidString }
        let body = try await writer.writeHead(head)
        guard !stream.isOver else { return connection.channel.close(promise: nil) }
        // The head is on its way, so what the channel's event loop writes from now on follows it.
        stream.attach(to: connection.channel)
        try await request.body.consumeWithInboundCloseHandler { _ in
            await stream.finished()
        } onInboundClosed: {
            stream.clientHasEnded()
        }
        try await body.finish(nil)
    }

    // MARK: Frames from clients

    /// Takes a request with frames. Frames that violate the protocol end the stream.
    func receive(on id: UUID, in house: HouseID, _ call: inout RelayCall) async throws -> HTTPAnswer {
        guard let (stream, pipes) = live.stream(id, in: house), stream.key == call.key else {
            throw RelayError.notFound
        }
        guard let name = HTTPField.Name(Self.order), let text = call.request.headers[name],
            let number = RelayRoute.number(text), number > 0
        else { throw RelayError.malformed("“\(Self.order)” must be the number of the request: 1, 2, 3 and so on.") }
        guard stream.beginRequest() else {
            throw RelayError(
                .tooManyRequests,
                "A stream takes \(RelayLimits.frameRequests) requests at a time. Wait for the answers.",
                retryAfter: 1
            )
        }
        defer { stream.endRequest() }
        let body = try await call.body(upTo: RelayLimits.frameRequestBytes)
        let flow = gate.countPipeBytes(body.count, of: house, stream.quota, at: call.now)
        if flow == .spent { pipes.endAll(because: .quota) }
        do throws(RelayError) {
            let now = call.now
            // Who opens a pipe now is told why there is none.
            try pipes.receive(number, body, from: stream, at: now, isSpent: flow == .spent) { [gate] place in
                gate.countPipe(of: place, stream.quota, at: now)
            }
            // A hub may have closed doors.
            if stream.origin == nil { await live.endClosedDoors(of: house, at: now) }
        } catch {
            await end(stream)
            throw error
        }
        stream.watchGap(gapTime) { [self] stream in
            Task { await end(stream) }
        }
        if case .wait(let time) = flow, time > 0 {
            try? await clock.sleep(for: min(.milliseconds(time), Self.longestPause))
        }
        return HTTPAnswer(.noContent)
    }

    private func end(_ stream: LiveStream) async {
        live.remove(stream)
        await stream.end()
    }
}
