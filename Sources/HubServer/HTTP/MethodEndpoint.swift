import Foundation
import HTTPTypes
import HomeHub
import HubAPI
import HummingbirdCore
import NIOCore
import WebServer

/// Calls the hub's methods.
struct MethodEndpoint: Sendable {
    /// The beginning of the paths, before the name of a method.
    static let prefix = "/api/"

    /// The methods that pass backups and exports.
    private static let confidential: Set<String> = [
        HubMethods.makeBackup.name, HubMethods.readBackup.name, HubMethods.writeImport.name,
        HubMethods.importHomes.name,
    ]

    private let hub: HomeHub
    private let streams: EventStreamRegistry
    private let limits: HTTPLimits
    /// The names of the methods that can be called.
    private let names: Set<String>

    init(hub: HomeHub, streams: EventStreamRegistry, limits: HTTPLimits, names: Set<String>) {
        self.hub = hub
        self.streams = streams
        self.limits = limits
        self.names = names
    }

    /// Responds to a `POST` request.
    func answer(to request: inout Request, on connection: RequestConnection) async -> HTTPAnswer {
        do throws(HubError) {
            let authority = try await hub.authority(ofToken: request.token)
            let method = String(request.uri.path.dropFirst(Self.prefix.count))
            guard names.contains(method) else {
                throw HubError(.unknownMethod, "The hub has no method “\(method.prefix(80))”.")
            }
            if Self.confidential.contains(method) { try connection.checkIsPrivate() }
            let key = try request.id(.hearthKey)
            let id = try request.id(.hearthStream)
            let reader = RequestBodyReader(time: limits.bodyTime)
            switch await reader.json(of: &request, upTo: limits.bodyBytes, connection.channel) {
            case .failure(let refusal): return refusal.answer
            case .success(let body):
                let parameters = Data(body.readableBytesView)
                guard let id else { return try await callAlone(method, parameters, key, authority) }
                let stream = try streams.stream(id, of: authority.device)
                let reply = await stream.call(method, parameters, key: key)
                return Self.answer(reply.reply, after: reply.after)
            }
        } catch {
            return HTTPAnswer(error)
        }
    }

    /// Calls a method on a connection of its own.
    private func callAlone(
        _ method: String,
        _ parameters: Data,
        _ key: UUID?,
        _ authority: SessionAuthority
    ) async throws(HubError) -> HTTPAnswer {
        let connection = EventStream(to: hub, as: authority, limits: limits)
        defer { connection.close() }
        _ = try await connection.greet(StreamRequest())
        return Self.answer(await connection.call(method, parameters, key: key).reply, after: nil)
    }

    static func answer(_ reply: HubReply, after: Int?) -> HTTPAnswer {
        switch reply.result {
        case .success(let result):
            var body = ByteBuffer(string: #"{"result":"#)
            body.writeBytes(result)
            if let after { body.writeString(#","after":\#(after)"#) }
            if !reply.follows.isEmpty { body.writeString(#","follows":[\#(HubEvent.json(reply.follows))]"#) }
            body.writeString("}")
            return HTTPAnswer(type: "application/json", body, [.cacheControl: "no-store"])
        case .failure(let error):
            return HTTPAnswer(error, after: after)
        }
    }
}
