package import Foundation

/// A request that a relay gets.
package struct HostileRequest: Hashable, Sendable {
    /// What a request is about.
    package enum Kind: Hashable, Sendable {
        case session, status, entries, envelope, live, other
    }

    package var method: String
    package var path: String
    package var body: Data

    /// What it is about.
    package var kind: Kind {
        let parts = path.split(separator: "?")[0].split(separator: "/").dropFirst().map(String.init)
        switch (method, parts.last, parts.count) {
        case ("POST", "session"?, _): return .session
        case ("GET", "live"?, _): return .live
        case ("GET", "entries"?, _): return .entries
        case ("GET", _, 4): return .status
        case ("GET", _, 6) where parts[4] == "keys": return .envelope
        default: return .other
        }
    }

    /// The number after which entries are asked for; `nil` for another request.
    package var after: Int? {
        guard kind == .entries, let query = path.split(separator: "?").last else { return nil }
        return query.split(separator: "&").first { $0.hasPrefix("after=") }.flatMap { Int($0.dropFirst(6)) }
    }
}

/// An answer of a relay.
package struct HostileAnswer: Sendable {
    package var status: Int
    package var headers: [(String, String)] = []
    package var body: Data

    package init(status: Int = 200, body: Data) {
        self.status = status
        self.body = body
    }

    /// An error in the relay's form.
    package init(status: Int, error: String, _ more: String = "") {
        self.init(status: status, body: Data(#"{"error":"\#(error)","message":"A lie."\#(more)}"#.utf8))
    }
}

/// What a relay does with a request.
package enum HostileDeed: Sendable {
    /// It is honest.
    case pass
    /// It answers by itself.
    case answer(HostileAnswer)
    /// It alters the honest answer.
    case alter(@Sendable (HostileAnswer) -> HostileAnswer)
    /// It alters the body of the request, and passes it on.
    case alterRequest(@Sendable (Data) -> Data)
    /// It alters the pieces of a stream.
    case alterStream(@Sendable (Data) -> Data)
    /// It ends the connection after a number of bytes of the body.
    case cut(Int)
    /// It answers without an end.
    case endless(Data)
    /// It doesn't answer.
    case hang
    /// It ends the connection.
    case close
}

/// Decides about the answers of a relay.
package typealias HostileScript = @Sendable (HostileRequest) -> HostileDeed
