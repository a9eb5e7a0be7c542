import Foundation
import HomeIdentity
import HomeStore
import HubAPI

/// What a hub asks the other one, which leads.
struct LeaderRequest: Hashable, Sendable {
    /// A client's session at the hub that asks.
    struct Client: Hashable, Sendable, Codable {
        /// The session's ID: the client of its changes.
        var session: UUID
        /// The user.
        var user: UUID
        /// The client's device.
        var device: UUID
        /// The app's identifier if the connection is limited to one app.
        var app: String?
        /// Whether the client is a device of its own, and not a program on the hub's machine.
        var isDevice: Bool
        /// The way by which the client reaches the hub.
        var way: Way
        /// The client's introduction.
        var hello: Hello

        init(_ session: HubSession, _ hello: Hello) {
            let authority = session.authority
            self.session = session.id
            (user, device, app, way) = (authority.user, authority.device, authority.app, authority.way)
            isDevice = authority.client == .device
            self.hello = hello
        }

        /// The authority of the session.
        var authority: SessionAuthority {
            let client: SessionAuthority.Client = app.map { .app($0) } ?? (isDevice ? .device : .person)
            return SessionAuthority(user: user, device: device, client: client, way: way)
        }
    }

    /// What is asked.
    enum Content: Hashable, Sendable {
        /// Carry out a client's request.
        case call(Client, method: String, key: UUID?, until: Int64?, parameters: Data)
        /// Store a change that the hub that asks has decided itself.
        case change([UInt8])
        /// Forget a session, which has ended. There is no answer.
        case end(UUID)

        /// Returns the request with its expiry by the other hub's clock.
        ///
        /// - Parameter lead: By how much that clock is ahead.
        func expiring(by lead: Int64) -> Content {
            guard case .call(let client, let method, let key, let until?, let parameters) = self else { return self }
            return .call(client, method: method, key: key, until: until + lead, parameters: parameters)
        }
    }

    /// The number of the request on the connection.
    var number: Int
    /// What is asked.
    var content: Content

    private struct Header: Codable {
        var number: Int
        var client: Client?
        var method: String?
        var key: UUID?
        var until: Int64?
        var end: UUID?
    }

    init(number: Int, _ content: Content) {
        self.number = number
        self.content = content
    }

    /// Reads a request: a line of JSON, and the parameters or the change. Returns `nil` if the bytes aren't one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= LeaderLimits.messageBytes, let end = bytes.firstIndex(of: LineJSON.lineFeed),
            let header = LineJSON.decode(Header.self, from: Array(bytes[..<end]))
        else { return nil }
        let rest = bytes[(end + 1)...]
        number = header.number
        if let client = header.client, let method = header.method {
            content = .call(client, method: method, key: header.key, until: header.until, parameters: Data(rest))
        } else if let session = header.end {
            content = .end(session)
        } else {
            content = .change(Array(rest))
        }
    }

    /// The bytes of the request.
    var bytes: [UInt8] {
        var header = Header(number: number)
        let rest: [UInt8]
        switch content {
        case .call(let client, let method, let key, let until, let parameters):
            (header.client, header.method, header.key, header.until) = (client, method, key, until)
            rest = Array(parameters)
        case .change(let change): rest = change
        case .end(let session):
            header.end = session
            rest = []
        }
        return LineJSON.encode(header) + [LineJSON.lineFeed] + rest
    }

    /// The session whose request it is; `nil` for the hub itself.
    var session: UUID? { if case .call(let client, _, _, _, _) = content { client.session } else { nil } }
}
