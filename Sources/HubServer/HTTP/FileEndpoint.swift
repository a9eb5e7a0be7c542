import Foundation
import HTTPTypes
import HomeHub
import HomeModel
import HubAPI
import HummingbirdCore
import NIOCore
import WebServer

/// Sends exports and backups as files, and receives exports. All of it only over connections that nobody else can read.
struct FileEndpoint: Sendable {
    /// A path that this part serves.
    enum Path: String {
        case backup = "/backup"
        case export = "/export"
        case importing = "/import"
    }

    /// The media type of exports: a JSON text per line. A foreign page can't send it without asking first.
    static let exportType = "application/jsonl"
    /// The media type of backups.
    static let backupType = "application/age"
    /// The number of bytes of an export that the hub receives at a time.
    private static let pieceLength = 1 << 19

    private let hub: HomeHub
    private let limits: HTTPLimits

    init(hub: HomeHub, limits: HTTPLimits) {
        self.hub = hub
        self.limits = limits
    }

    /// Responds to a `POST` request.
    func respond(
        to request: inout Request,
        _ path: Path,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        switch path {
        case .export:
            let answer = await answer { () async throws(Refusal) in try await export(&request, connection) }
            try await answer.write(to: request, writer, on: connection)
        case .importing:
            let answer = await answer { () async throws(Refusal) in try await receive(&request, connection) }
            try await answer.write(to: request, writer, on: connection)
        case .backup:
            let backup: Backup
            do throws(Refusal) {
                backup = try await makeBackup(&request, connection)
            } catch {
                return try await error.answer.write(to: request, writer, on: connection)
            }
            defer { backup.stream.close() }
            try await send(backup, writer)
        }
    }

    private func answer(_ body: () async throws(Refusal) -> HTTPAnswer) async -> HTTPAnswer {
        do throws(Refusal) {
            return try await body()
        } catch {
            return error.answer
        }
    }

    /// Returns the user and device of a request on a connection that nobody else can read.
    private func authority(
        of request: Request,
        _ connection: RequestConnection
    ) async throws(HubError) -> SessionAuthority {
        let authority = try await hub.authority(ofToken: request.token)
        try connection.checkIsPrivate()
        return authority
    }

    private func parameters<Value: Decodable>(
        _ type: Value.Type,
        of request: inout Request,
        _ connection: RequestConnection
    ) async throws(Refusal) -> Value {
        let reader = RequestBodyReader(time: limits.bodyTime)
        let body = try await reader.json(of: &request, upTo: limits.signInBytes, connection.channel).get()
        do throws(HubError) {
            return try body.decoded(as: type)
        } catch {
            throw Refusal(error)
        }
    }

    private static func attachment(_ suffix: String) -> String {
        let day = Date().formatted(.iso8601.year().month().day())
        return #"attachment; filename="hearth-\#(day).\#(suffix)""#
    }

    // MARK: Exports

    private func export(_ request: inout Request, _ connection: RequestConnection) async throws(Refusal) -> HTTPAnswer {
        do throws(HubError) {
            let authority = try await authority(of: request, connection)
            let parameters: ExportBody
            do throws(Refusal) {
                parameters = try await self.parameters(ExportBody.self, of: &request, connection)
            } catch {
                return error.answer
            }
            let state = try await state(as: authority)
            var homes = Array(state.homes.values)
            if let id = parameters.home {
                homes = homes.filter { $0.id == id }
                guard !homes.isEmpty else {
                    throw HubError(HubError.Code(rawValue: "notFound"), "You have no such home.")
                }
            }
            let text: String
            do {
                text = try HomeExport(account: state.account, homes: homes).text
            } catch {
                throw HubError(.hubFailure, "The export could not be written: \(error)")
            }
            let headers: HTTPFields = [.cacheControl: "no-store", .contentDisposition: Self.attachment("jsonl")]
            return HTTPAnswer(type: Self.exportType, ByteBuffer(string: text), headers)
        } catch {
            throw Refusal(error)
        }
    }

    /// Returns what a session sees of the homes.
    private func state(as authority: SessionAuthority) async throws(HubError) -> HubState {
        let (messages, continuation) = AsyncStream.makeStream(of: HubMessage.self)
        let session = hub.accept(as: authority) { continuation.yield($0) }
        defer {
            continuation.finish()
            session.close(EventStream.over)
        }
        let hello = try EncodedCall(HubMethods.hello, Hello(app: "hearth.page", purpose: "Exports the homes."))
        session.receive(RPCRequest(id: 1, method: hello.method.name, parameters: hello.body))
        for await message in messages {
            switch message {
            case .event(let event) where event.isReset:
                var state = HubState()
                state.apply(event)
                return state
            case .event: break
            case .reply(_, let reply): _ = try reply.result.get()
            case .closed(let error): throw error
            }
        }
        throw EventStream.over
    }

    // MARK: Imports

    private func receive(_ request: inout Request, _ connection: RequestConnection) async throws(Refusal) -> HTTPAnswer
    {
        do throws(HubError) {
            let authority = try await authority(of: request, connection)
            let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased()
            guard type == Self.exportType else {
                let error = HubError(.malformedMessage, "The request must have the Content-Type \(Self.exportType).")
                var answer = HTTPAnswer(error)
                answer.status = .unsupportedMediaType
                return answer.closing
            }
            let key = try request.id(.hearthKey)
            let query = request.uri.queryParameters
            let isDryRun = try Self.flag("dryRun", query["dryRun"])
            let stream = EventStream(to: hub, as: authority, limits: limits)
            defer { stream.close() }
            _ = try await stream.greet(StreamRequest())
            let id = UUID()
            if let error = await upload(request, as: id, to: stream, connection.channel) {
                return HTTPAnswer(error).closing
            }
            let parameters = ImportHomes(id: id, home: query["home"].map(String.init), isDryRun: isDryRun)
            let call = try EncodedCall(HubMethods.importHomes, parameters)
            let reply = await stream.call(call.method.name, call.body, key: key).reply
            return MethodEndpoint.answer(reply, after: nil)
        } catch {
            throw Refusal(error)
        }
    }

    /// Returns the value of a parameter that is true or false. Anything else could be meant either way.
    private static func flag(_ name: String, _ value: Substring?) throws(HubError) -> Bool {
        switch value {
        case nil, "false": return false
        case "true": return true
        default:
            var parts = ErrorParts()
            parts.field = name
            throw HubError(.malformedMessage, "“\(name)” is either true or false.", parts: parts)
        }
    }

    /// Passes the body of a request to the hub as it arrives.
    ///
    /// - Returns: Why it wasn't accepted; `nil` if it was.
    private func upload(
        _ request: Request,
        as id: UUID,
        to stream: EventStream,
        _ channel: any Channel
    ) async -> HubError? {
        // A client that sends too slowly is disconnected.
        let time = TimeAmount.nanoseconds(Int64(limits.uploadTime / .nanoseconds(1)))
        let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        var (offset, waiting) = (0, Data())
        func pass() async throws {
            let call = try EncodedCall(HubMethods.writeImport, WriteImport(id: id, offset: offset, bytes: waiting))
            _ = try await stream.call(call.method.name, call.body).reply.result.get()
            offset += waiting.count
            waiting = Data()
        }
        do {
            for try await part in request.body {
                waiting += part.readableBytesView
                if waiting.count >= Self.pieceLength { try await pass() }
            }
            try await pass()
            return nil
        } catch {
            return error as? HubError ?? HubError(.connectionLost, "The export could not be received.")
        }
    }

    // MARK: Backups

    private struct Backup {
        var stream: EventStream
        var info: BackupInfo
    }

    private func makeBackup(_ request: inout Request, _ connection: RequestConnection) async throws(Refusal) -> Backup {
        let stream: EventStream
        do throws(HubError) {
            var authority = try await authority(of: request, connection)
            // A backup has everybody's homes and keys, so it doesn't leave the machine by itself.
            if connection.isLocal { authority.way = .here }
            stream = EventStream(to: hub, as: authority, limits: limits)
        } catch {
            throw Refusal(error)
        }
        do throws(Refusal) {
            let parameters = try await parameters(CreateBackup.self, of: &request, connection)
            do throws(HubError) {
                _ = try await stream.greet(StreamRequest())
                return Backup(stream: stream, info: try await stream.call(HubMethods.makeBackup, parameters))
            } catch {
                throw Refusal(error)
            }
        } catch {
            stream.close()
            throw error
        }
    }

    private func send(_ backup: Backup, _ writer: consuming ResponseWriter) async throws {
        var head = HTTPResponse(status: .ok, headerFields: HTTPAnswer.commonHeaders)
        head.headerFields[.contentType] = Self.backupType
        head.headerFields[.contentDisposition] = Self.attachment("age")
        head.headerFields[.cacheControl] = "no-store"
        head.headerFields[.contentLength] = "\(backup.info.length)"
        var body = try await writer.writeHead(head)
        var offset = 0
        while offset < backup.info.length {
            let chunk = ReadBackup(id: backup.info.id, offset: offset)
            let bytes = try await backup.stream.call(HubMethods.readBackup, chunk).bytes
            // The connection ends without the rest, which the client notices.
            guard !bytes.isEmpty else { throw HubError(.storeFailure, "The backup is shorter than it was.") }
            try await body.write(ByteBuffer(bytes: bytes))
            offset += bytes.count
        }
        try await body.finish(nil)
    }
}

extension EventStream {
    /// Calls a method and decodes its result.
    fileprivate func call<Parameters, Value>(
        _ method: Method<Parameters, Value>,
        _ parameters: Parameters
    ) async throws(HubError) -> Value {
        let encoded = try EncodedCall(method, parameters)
        let reply = await call(encoded.method.name, encoded.body)
        return try encoded.method.decode(try reply.reply.result.get()).get()
    }
}
