import Foundation
import HTTPTypes
import HomeIdentity
import HummingbirdCore
import NIOCore
import RelayAPI
import WebServer

/// Opens live streams.
struct LiveEndpoint: Sendable {
    let store: any RelayStore
    let live: LiveRegistry

    /// Opens the stream of a request.
    func open(in house: HouseID, _ call: RelayCall) async throws -> LiveStream {
        let feed = try call.text("feed").map { text throws(RelayError) in
            guard let feed = FeedID(hex: text) else { throw .malformed("“feed” must be the ID of a feed.") }
            return feed
        }
        _ = try await check(house, feed, call)
        let stream = LiveStream(of: call.key, in: house, feed: feed)
        let superseded = try live.add(stream)
        do {
            if let superseded {
                live.remove(superseded)
                await superseded.end()
            }
            // The right may have been taken before the registry knew of the stream. What was appended meanwhile is told.
            let seq = try await check(house, feed, call)
            if let feed, let seq { stream.wake(feed, seq: seq) } else { stream.ping(after: .zero) }
            return stream
        } catch {
            live.remove(stream)
            throw error
        }
    }

    /// Checks the right to a stream.
    ///
    /// - Returns: The number of the feed's last entry.
    private func check(_ house: HouseID, _ feed: FeedID?, _ call: RelayCall) async throws -> Int64? {
        guard let feed else {
            _ = try await store.houseClass(of: house, as: call.key)
            return nil
        }
        return try await store.status(of: feed, in: house, as: call.key, at: call.now).seq
    }

    /// Sends frames until the stream is over.
    func send(
        _ stream: LiveStream,
        _ request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection,
        adding common: HTTPFields
    ) async throws {
        defer { live.remove(stream) }
        var head = HTTPResponse(status: .ok, headerFields: common)
        head.headerFields[.contentType] = HTTPAnswer.binaryType
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
}
