import DNSSD
import Foundation
import HomeHub
import HomeKitTesting
import HubAPI
import Logging
import RawHTTP
import Testing
import WebServer

@testable import HubServer

/// A hub that serves HTTP, for one test.
struct ServedHub {
    let hub: HomeHub
    let listener: HTTPListener
    /// The clock of codes and tokens.
    let hubClock: ManualClock
    /// The clock of streams.
    let streamClock: ManualClock
    let log: Logger

    var port: Int { listener.address.port }

    /// Runs `body` with a new folder, then removes it.
    static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-http-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// Runs `body` with a hub, then stops it.
    ///
    /// - Parameter folder: The folder of a hub that ran before; `nil` for a new one.
    static func with(
        _ limits: HTTPLimits = HTTPLimits(),
        in folder: URL? = nil,
        security: HTTPSecurity = .none,
        assistants: AssistantService? = nil,
        files: [String: [UInt8]] = ["index.html": Array("<p>@ASSETS@".utf8), "app.js": Array("1".utf8)],
        _ body: (ServedHub) async throws -> Void
    ) async throws {
        guard let folder else {
            return try await withFolder {
                try await with(limits, in: $0, security: security, assistants: assistants, files: files, body)
            }
        }
        let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (hubClock, streamClock) = (ManualClock(), ManualClock())
        let start = Date()
        let hub = try await HomeHub(
            HubConfiguration(
                data: folder.appending(path: "hub"),
                interfaces: [.loopback],
                now: { start + TimeInterval(hubClock.now.offset / .seconds(1)) },
                clock: hubClock,
                log: log
            )
        )
        do {
            let listener = try await HTTPListener.start(
                at: try #require(HTTPAddress("127.0.0.1:0")),
                of: hub,
                security: security,
                assistants: assistants,
                files: PageFiles(files),
                limits: limits,
                clock: streamClock,
                logger: log
            )
            let served = ServedHub(
                hub: hub,
                listener: listener,
                hubClock: hubClock,
                streamClock: streamClock,
                log: log
            )
            let result: Result<Void, any Error>
            do { result = .success(try await body(served)) } catch { result = .failure(error) }
            await listener.stop()
            try result.get()
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    /// Signs a device of a user in.
    func device(_ name: String = "Test", code: String? = nil, staysSignedIn: Bool = false) async throws -> PageClient {
        var login = code
        if login == nil { login = await hub.createLogin().code }
        var client = PageClient(port: port)
        let response = try await client.post(
            "/login",
            #"{"code":"\#(login ?? "")","name":"\#(name)","staySignedIn":\#(staysSignedIn)}"#
        )
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        client.token = response.json["token"] as? String
        client.credential = response.json["credential"] as? String
        client.device = response.json["device"] as? String
        return client
    }

    /// A connection of the hub's own user on the hub's machine.
    func owner() async throws -> HubConnection {
        let authority = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
        let connection = HubConnection(over: InProcessTransport(to: hub, as: authority))
        _ = try await connection.call(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
        return connection
    }
}

/// A page that is signed in.
struct PageClient {
    let port: Int
    var token: String?
    var credential: String?
    var device: String?

    init(port: Int) {
        self.port = port
    }

    /// Sends a request on a connection of its own.
    func post(
        _ path: String,
        _ body: String = "{}",
        _ headers: [String: String] = [:]
    ) async throws -> HTTPConnection.Response {
        let connection = try HTTPConnection(port: port)
        try await connection.send(head("POST", path, body.utf8.count, headers) + body)
        return try await connection.response()
    }

    /// Gets a path.
    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> HTTPConnection.Response {
        let connection = try HTTPConnection(port: port)
        try await connection.send(head("GET", path, nil, headers))
        return try await connection.response()
    }

    /// Returns the beginning of a request.
    func head(_ method: String, _ path: String, _ length: Int?, _ headers: [String: String] = [:]) -> String {
        var fields = ["Host": "127.0.0.1:\(port)"]
        if let length {
            fields["Content-Length"] = "\(length)"
            fields["Content-Type"] = "application/json"
        }
        if let token { fields["Authorization"] = "Bearer \(token)" }
        fields.merge(headers) { $1 }
        return "\(method) \(path) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    }

    /// Opens a stream of events.
    func stream(_ body: String = "{}", _ headers: [String: String] = [:]) async throws -> PageStream {
        let connection = try HTTPConnection(port: port)
        try await connection.send(head("POST", "/api/events", body.utf8.count, headers) + body)
        let response = try await connection.responseHead()
        try #require(response.status == 200)
        #expect(response.headers["content-type"] == "text/event-stream")
        return try await PageStream(connection)
    }
}

/// A stream of events.
final class PageStream {
    // This is a class because it remembers what it has read.

    struct Event {
        var id: String?
        var name: String
        var data: String

        /// The number in the ID.
        var number: Int? { id?.split(separator: ".").last.flatMap { Int($0) } }

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any] ?? [:]
        }
    }

    let connection: HTTPConnection
    private(set) var hello = Event(name: "", data: "")
    private var text = ""

    init(_ connection: HTTPConnection) async throws {
        self.connection = connection
        hello = try #require(try await next())
        try #require(hello.name == "hello")
    }

    /// The ID of the logical connection.
    var id: String { hello.json["stream"] as? String ?? "" }
    var isResumed: Bool { hello.json["resumed"] as? Bool ?? false }
    /// The header field of requests on this connection.
    var header: [String: String] { ["Hearth-Stream": id] }

    /// Reads the next event or comment; `nil` at the end of the stream.
    func next() async throws -> Event? {
        while true {
            if let end = text.range(of: "\n\n") {
                let lines = text[..<end.lowerBound].split(separator: "\n")
                text = String(text[end.upperBound...])
                var event = Event(name: "", data: "")
                for line in lines {
                    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
                    switch parts[0] {
                    case "id": event.id = value
                    case "event": event.name = value
                    case "data": event.data = value
                    default: event.name = "comment"
                    }
                }
                return event
            }
            let chunk = try await connection.chunk()
            guard !chunk.isEmpty else { return nil }
            text += String(decoding: chunk, as: UTF8.self)
        }
    }

    /// Reads up to an event with a name.
    func next(_ name: String) async throws -> Event {
        while let event = try await next() {
            if event.name == name { return event }
        }
        throw HTTPConnection.Failure(what: "no \(name)")
    }
}
