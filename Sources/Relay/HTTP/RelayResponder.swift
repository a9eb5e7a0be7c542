import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import RelayAPI
import WebServer

/// Responds to the requests of a relay's clients: checks host and session, and passes them to the part of their path.
struct RelayResponder: Sendable {
    let store: any RelayStore
    let hosts: RelayHosts
    let sessions: SessionEndpoint
    let houses: HouseEndpoint
    let votes: VoteEndpoint
    let feeds: FeedEndpoint
    let entries: EntryEndpoint
    let streams: LiveEndpoint
    /// The houses that this process serves; `nil` for all.
    let assignment: HouseAssignment?
    let metrics: RelayMetrics
    let bodyTime: Duration
    let now: @Sendable () -> Int64
    let log: Logger

    /// The fields of every response.
    static let commonHeaders: HTTPFields = {
        var fields = HTTPFields()
        fields[.cacheControl] = "no-store"
        if let name = HTTPField.Name("X-Content-Type-Options") { fields[name] = "nosniff" }
        return fields
    }()

    /// What a request gets.
    private enum Outcome {
        case answer(HTTPAnswer)
        case stream(LiveStream)
    }

    /// Responds to a request.
    @Sendable func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        let start = ContinuousClock.now
        var request = request
        let route = RelayRoute(request.uri.path)
        switch await outcome(of: &request, route, on: connection) {
        case .stream(let stream):
            metrics.count(.live, status: 200, nil)
            try await streams.send(stream, request, writer, on: connection, adding: Self.commonHeaders)
        case .answer(let answer):
            let waits = route?.kind == .entries && request.uri.query?.contains("wait=") == true
            metrics.count(route?.kind, status: answer.status.code, waits ? nil : ContinuousClock.now - start)
            try await answer.write(to: request, writer, on: connection, adding: Self.commonHeaders)
        }
    }

    /// Responds to a request without encryption, if the relay encrypts.
    @Sendable func respondPlainly(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        // What such a request contains was readable on its way.
        let error = RelayError(.misdirected, "This relay requires encryption. Use https:// instead of http://.")
        try await HTTPAnswer(error).closing.write(to: request, writer, on: connection, adding: Self.commonHeaders)
    }

    private func outcome(
        of request: inout Request,
        _ route: RelayRoute?,
        on connection: RequestConnection
    ) async -> Outcome {
        do {
            return try await handle(&request, route, on: connection)
        } catch let error as RelayError {
            return .answer(Self.answer(error, route))
        } catch let error as RelayStoreError {
            if case .storeFailure = error.answer.code {
                metrics.countStoreFailure()
                log.error("A request failed because the store did.", metadata: ["error": "\(error)"])
            }
            return .answer(HTTPAnswer(error.answer))
        } catch {
            log.error("A request failed.", metadata: ["error": "\(error)"])
            return .answer(HTTPAnswer(RelayStoreError.failure("").answer))
        }
    }

    private static func answer(_ error: RelayError, _ route: RelayRoute?) -> HTTPAnswer {
        let answer = HTTPAnswer(error)
        guard error.code == .notAllowed, let route else { return answer }
        return answer.with(.allow, route.kind.methods.map(\.rawValue).joined(separator: ", "))
    }

    private func handle(
        _ request: inout Request,
        _ route: RelayRoute?,
        on connection: RequestConnection
    ) async throws -> Outcome {
        guard let route else { throw RelayError.notFound }
        guard route.kind.methods.contains(request.method) else {
            let methods = route.kind.methods.map(\.rawValue).joined(separator: " or ")
            throw RelayError(.notAllowed, "This path takes \(methods).")
        }
        let now = now()
        switch route {
        case .health:
            try await store.check()
            return .answer(HTTPAnswer(json: #"{"status":"ok"}"#))
        case .description: return .answer(HTTPAnswer(json: RelayDescription.json))
        default: break
        }
        let host = (request.head.authority ?? "").lowercased()
        guard hosts.accepts(host, at: connection.channel.localAddress) else {
            throw RelayError(.misdirected, "This isn't the host of this relay. Start the relay with its --url.")
        }
        if case .session = route {
            return .answer(try await sessions.open(&request, host: host, on: connection, at: now))
        }
        let token = try sessions.token(of: request, at: now)
        if let house = route.house { try assignment?.check(house) }
        var call = RelayCall(request: request, connection: connection, key: token.key, now: now, bodyTime: bodyTime)
        if case .live(let house) = route { return .stream(try await streams.open(in: house, call)) }
        return .answer(try await answer(route, &call))
    }

    private func answer(_ route: RelayRoute, _ call: inout RelayCall) async throws -> HTTPAnswer {
        let method = call.request.method
        switch route {
        case .house(let house): return try await houses.register(house, &call)
        case .append(let house): return try await entries.append(to: house, &call)
        case .vault(let house):
            switch method {
            case .put: return try await houses.storePiece(in: house, &call)
            case .delete: return try await houses.removeVault(of: house, call)
            default: return try await houses.vault(of: house, call)
            }
        case .votes(let house): return try await votes.vote(in: house, &call)
        case .base(let house):
            return method == .put
                ? try await votes.storeBasePiece(in: house, &call) : try await votes.base(of: house, call)
        case .feed(let house, let feed):
            let place = FeedPlace(house: house, feed: feed)
            switch method {
            case .put: return try await feeds.make(place, call)
            case .delete: return try await feeds.end(place, call)
            default: return try await feeds.status(place, call)
            }
        case .readers(let house, let feed):
            return try await feeds.setReaders(FeedPlace(house: house, feed: feed), &call)
        case .entries(let house, let feed):
            return try await entries.entries(FeedPlace(house: house, feed: feed), call)
        case .keys(let house, let feed, let generation):
            let place = FeedPlace(house: house, feed: feed)
            return method == .put
                ? try await feeds.storeEnvelope(place, generation: generation, &call)
                : try await feeds.envelope(place, generation: generation, call)
        case .beat(let house, let feed):
            return try await feeds.storeBeat(FeedPlace(house: house, feed: feed), &call)
        case .frames(let house, let stream): return try await streams.receive(on: stream, in: house, &call)
        case .health, .description, .session, .live: throw RelayError.notFound
        }
    }
}
